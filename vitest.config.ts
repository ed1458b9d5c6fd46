import { defineConfig } from 'vitest/config';

const room = (name: string, timeout: number) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: timeout,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Much of a run is waiting: for processes to start, for faults to pass. Two cores have room for three files.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/tests.json' }]],
    projects: [
      room('unit', 30_000),
      room('simulation', 600_000),
      room('contract', 30_000),
      room('integration', 60_000),
    ],
  },
});
