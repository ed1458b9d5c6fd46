import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'web',
    include: ['test/**/*.test.ts'],
    // As for the service's own tests: modules hold no state.
    isolate: false,
    // Property tests take their time on a busy machine.
    testTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '../reports/web.json' }]],
  },
});
