import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    name: 'soak',
    include: ['test/soak/**/*.test.ts'],
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/soak.json' }]],
  },
});
