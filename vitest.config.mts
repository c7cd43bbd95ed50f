import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * The rings. The kind of a test is in its file name:
 * `x.test.ts` pure or engine, `x.sim.test.ts` simulation, `x.db.test.ts` real PostgreSQL,
 * `e2e/**\/*.test.ts` the built product over HTTP (journeys in a browser are `*.spec.ts`, Playwright's).
 */
const OUTSIDE = ['**/node_modules/**', '.next/**', '.build/**'];

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['{lib,app,drizzle}/**/*.test.ts'],
          exclude: [...OUTSIDE, '**/*.db.test.ts', '**/*.sim.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: { name: 'sim', include: ['{lib,app}/**/*.sim.test.ts'], exclude: OUTSIDE, testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['{lib,app}/**/*.db.test.ts'],
          exclude: OUTSIDE,
          // Runs only when a file of this project does; `inject('ownerUrl')` gives the server's URL.
          globalSetup: ['lib/launch/vitest-postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: OUTSIDE,
          globalSetup: ['e2e/harness/build-first.ts'],
          fileParallelism: false, // each file starts the product
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
