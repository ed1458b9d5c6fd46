import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What came of a run of tests. */
export type TestRun =
  | { readonly kind: 'passed'; readonly tests: number }
  /** The first test that failed. */
  | { readonly kind: 'failed'; readonly by: string }
  /** Something other than a test failed: nothing is known about the bug. */
  | { readonly kind: 'broken'; readonly why: string };

export interface TestSelection {
  /** The project of vitest.config.ts. */
  readonly project: string;
  /** Files and folders. */
  readonly paths: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** The tail of what a broken run has printed that is shown. */
const SHOWN_CHARACTERS = 2_000;

/** Runs tests of the tree in `folder` until the first one fails. */
export async function runTests(
  folder: string,
  { project, paths, env = {}, timeoutMs }: TestSelection,
  signal: AbortSignal,
): Promise<TestRun> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['run', '--project', project, '--bail', '1', '--maxWorkers', '1', ...paths];
  const child = spawn(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env, REPORT_FILE: report, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, so that workers in an endless loop end with it
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  const stop = () => {
    killGroup(child.pid);
  };
  ended.addEventListener('abort', stop, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output = `${output}${text}`.slice(-SHOWN_CHARACTERS);
    });
  }
  await once(child, 'close');
  ended.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (timeout.aborted) return { kind: 'failed', by: `a run that does not end within ${timeoutMs / 1_000} s` };
  if (!existsSync(report)) return { kind: 'broken', why: output };
  return outcomeOf(JSON.parse(readFileSync(report, 'utf8')) as Report, folder, output);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // ended already
  }
}

/** The part of vitest's report that is read here. */
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function outcomeOf(
  { success, numPassedTests, testResults }: Report,
  folder: string,
  output: string,
): TestRun {
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed !== undefined) {
      return { kind: 'failed', by: `${relative(folder, name)} > ${failed.fullName}` };
    }
  }
  if (!success || numPassedTests === 0) return { kind: 'broken', why: output };
  return { kind: 'passed', tests: numPassedTests };
}
