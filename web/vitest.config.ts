import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'web',
    include: ['test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '../reports/web.json' }]],
  },
});
