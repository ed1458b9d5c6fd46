import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Adds up the reports that the test runs left in reports/, and prints the slowest files and `N passed, N failed`.
// Fails when a test failed or was skipped, or when no test ran at all.

const SLOWEST_FILES = 20;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

function readReports(folder: string): readonly Report[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Report);
}

/** From the first test to the end of the last, without the hooks around them. */
function slowestFiles(of: readonly Report[]): readonly string[] {
  return of
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({ file: path.relative('.', name), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST_FILES)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
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

for (const line of slowestFiles(reports)) console.log(line);
if (pending > 0)
  console.log(`${pending} tests did not run: this machine lacks a tool, or their file broke before`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = passed === 0 || failed > 0 ? 1 : 0;
