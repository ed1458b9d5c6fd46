import { defineConfig } from 'vitest/config';

const project = (name: string, timeout: number, options = {}) => ({
  test: {
    name,
    // Without state in modules, files can share them: half of a run was loading them again.
    isolate: false,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: timeout,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    ...options,
  },
});

export default defineConfig({
  test: {
    // Much of a run is waiting: for processes to start, for faults to pass. Two cores can run three files.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: process.env['REPORT_FILE'] ?? 'reports/tests.json' }]],
    // Of what runs in the process of the tests. Contract and integration tests run the built service in its own.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
      reportsDirectory: 'reports/coverage',
    },
    projects: [
      project('unit', 30_000),
      project('simulation', 600_000),
      project('contract', 30_000),
      // Of these, files wait as much as what they do side by side: for a timeout, or between two attempts.
      project('integration', 60_000, { maxConcurrency: 16, maxWorkers: 4, sequence: { groupOrder: 1 } }),
      project('tools', 60_000),
      project('cli', 30_000, { include: ['cli/test/**/*.test.ts'] }),
    ],
  },
});
