import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of a benchmark in a process of its own, so that it is not measured with what it serves. */
export interface Child {
  readonly pid: number;
  /** The first line that it wrote. */
  readonly firstLine: string;
  /** Writes a line to it, and returns the line that it writes in turn. */
  send(line: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a script of this repository and waits until it has written a line. */
export async function startChild(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const path = new URL(`../../${script}`, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), closed.then(() => undefined)]);
  if (first === undefined) throw new Error(`${script} ended before it said anything`);
  return {
    pid: child.pid ?? 0,
    firstLine: String(first[0]),
    async send(line) {
      const answered = Promise.race([once(lines, 'line'), closed.then(() => undefined)]);
      child.stdin.write(`${line}\n`);
      const answer = await answered;
      if (answer === undefined) throw new Error(`${script} has ended`);
      return String(answer[0]);
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
