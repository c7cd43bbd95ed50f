import { defineConfig } from '@playwright/test';
import { findChromium, freePort } from './e2e/harness';

// Workers read this file again: they take the port from the first reading.
const port = (process.env.OHM_JOURNEYS_PORT ??= String(await freePort()));
const executablePath = await findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  outputDir: 'test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    },
  },
  webServer: {
    command: 'node e2e/harness/serve.mjs',
    env: { PORT: port, OHM_TRUSTED_PROXIES: '1' },
    url: `http://127.0.0.1:${port}/ready`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
  },
});
