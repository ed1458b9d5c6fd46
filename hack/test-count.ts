import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Adds up the reports that the test runs left in reports/, and prints the slowest files, the names of failed tests
// and `N passed, N failed`. Fails when a test failed or was skipped, or when no test ran at all.

const SLOWEST_FILES = 20;

interface TestFile {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly TestFile[];
}

/** From the first test to the end of the last, without the hooks around them. */
const msOf = ({ startTime, endTime }: TestFile): number => endTime - startTime;
const pathOf = ({ name }: TestFile): string => path.relative('.', name);

/** A file that breaks before its first test fails without a failed test; it counts as one. */
function failuresOf(file: TestFile): readonly string[] {
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return [`failed: ${pathOf(file)}`];
  return tests.map(({ fullName }) => `failed: ${pathOf(file)}: ${fullName}`);
}

const reports = readdirSync('reports')
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(`reports/${name}`, 'utf8')) as Report);
const files = reports.flatMap(({ testResults }) => testResults);
const sum = (pick: (report: Report) => number): number =>
  reports.reduce((total, report) => total + pick(report), 0);

const passed = sum((report) => report.numPassedTests);
const pending = sum((report) => report.numPendingTests);
const failures = files.filter(({ status }) => status === 'failed').flatMap(failuresOf);

for (const file of files.toSorted((one, other) => msOf(other) - msOf(one)).slice(0, SLOWEST_FILES))
  console.log(`${(msOf(file) / 1_000).toFixed(1).padStart(7)} s  ${pathOf(file)}`);
for (const line of failures) console.log(line);
if (pending > 0)
  console.log(`${pending} tests did not run: this machine lacks a tool, or their file broke before`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = passed === 0 || failures.length > 0 ? 1 : 0;
