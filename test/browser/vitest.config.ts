import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as Playwright waits: a poll whose one look takes that long has no other.
    expect: { poll: { timeout: 20_000 } },
    // Much of a test is waiting for the other side. Modules are kept from file to file, and with them what fixture.ts shares.
    maxWorkers: 2,
    isolate: false,
    reporters: ['default', ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/browser.json' }]],
  },
});
