import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One browser at a time: it is the machine's whole capacity, and timings are measured.
    fileParallelism: false,
    reporters: ['default', ['json', { outputFile: 'reports/browser.json' }]],
  },
});
