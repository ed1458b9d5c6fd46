import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunFile } from './run-command.ts';

export type Values = Readonly<Record<string, string | Uint8Array>>;

export interface StartedRun {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly folder: string;
  /** The exit code, after all output, and what was left in the folder, which is removed. */
  ended(): Promise<{ readonly exitCode: number | null; readonly left: readonly string[] }>;
}

export interface RunCase extends Omit<RunFile, 'secrets'> {
  readonly secrets: Readonly<Record<string, Values>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** On a terminal of its own, made by script(1). */
  readonly terminal?: boolean;
}

/** Starts `run` with a shell script as the command. */
export function startRun(
  { secrets, environment, terminal = false, ...options }: RunCase,
  command: string | string[],
): StartedRun {
  const folder = mkdtempSync(join(tmpdir(), 'run-test-'));
  const file = join(folder, 'run.json');
  const content: RunFile = {
    ...options,
    secrets: Object.entries(secrets).map(([name, values]) => ({
      name,
      values: Object.fromEntries(
        Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      ),
    })),
  };
  writeFileSync(file, JSON.stringify(content));
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const run = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'run-command.ts'),
    file,
    '--',
    ...words,
  ];
  const quoted = run.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const [program = '', ...args] = terminal ? ['script', '-qefc', `exec ${quoted}`, '/dev/null'] : run;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('latin1')));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('latin1')));
  const closed = once(child, 'close');
  return {
    process: child,
    output,
    folder,
    ended: async () => {
      await closed;
      const left = readdirSync(folder).filter((name) => name !== 'run.json');
      rmSync(folder, { recursive: true });
      return { exitCode: child.exitCode, left };
    },
  };
}

/** Runs to the end with nothing on stdin. */
export async function runToEnd(options: RunCase, command: string | string[]) {
  const started = startRun(options, command);
  started.process.stdin?.end();
  return { ...(await started.ended()), ...started.output };
}
