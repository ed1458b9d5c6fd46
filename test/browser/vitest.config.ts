import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // One browser per file, two at a time: much of a test is waiting for the other side.
    maxWorkers: 2,
    reporters: ['default', ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/browser.json' }]],
  },
});
