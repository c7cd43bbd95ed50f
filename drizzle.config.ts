import { defineConfig } from 'drizzle-kit';

/** For `npx drizzle-kit generate`; the product itself migrates in lib/db/migrate.ts. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './lib/db/schema/*.ts',
  out: './drizzle',
});
