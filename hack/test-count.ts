import { readdirSync, readFileSync } from 'node:fs';

// Adds up the reports that the test runs left in reports/, and prints `N passed, N failed`.
// Fails when a test failed or was skipped, or when no test ran at all.

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTests: number;
}

function readReports(folder: string): readonly Report[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Report);
}

const reports = readReports('reports');
const sum = (pick: (report: Report) => number): number =>
  reports.reduce((total, report) => total + pick(report), 0);

const passed = sum((report) => report.numPassedTests);
// A suite that breaks before its first test fails without a failed test; it counts as one.
const failed = Math.max(
  sum((report) => report.numFailedTests),
  sum((report) => Math.min(1, report.numFailedTestSuites)),
);
const pending = sum((report) => report.numPendingTests);

if (pending > 0) console.log(`${pending} tests need a tool that this machine lacks, and did not run`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed === 0 || failed > 0 ? 1 : 0;
