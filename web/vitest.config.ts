import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'web',
    include: ['test/**/*.test.ts'],
    // Property tests take their time on a busy machine.
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '../reports/web.json' }]],
  },
});
