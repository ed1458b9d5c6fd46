import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'consistency',
    include: ['test/consistency/**/*.test.ts'],
    reporters: [
      'default',
      ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/consistency.json' }],
    ],
  },
});
