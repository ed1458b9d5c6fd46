import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** A program that has come to its end. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves with the first match in what it has written to standard output. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Runs `node hack/dev-cluster/main.ts`. */
export function runDevCluster(...args: readonly string[]): Running {
  return run(process.execPath, [join(ROOT, 'hack/dev-cluster/main.ts'), ...args]);
}

/** Runs a program with some text as its standard input. */
export function run(
  command: string,
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Running {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'pipe' });
  let out = '';
  let err = '';
  const listeners = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
  // A program that reads no input may have ended before it is written.
  child.stdin.on('error', () => undefined).end(input);
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(out);
        if (match !== null) resolve(match);
      };
      listeners.add(look);
      finished.then(() => {
        reject(new Error(`it ended without saying ${pattern.source}: ${err}`));
      }, reject);
      look();
    });
  return { process: child, finished, seen };
}
