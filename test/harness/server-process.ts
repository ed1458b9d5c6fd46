import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DebianProgram } from './debian-program.ts';

const READY_TIMEOUT_MS = 15_000;
const GRACE_MS = 3_000;
/** Enough to see why a server did not start. */
const MAX_OUTPUT_CHARACTERS = 20_000;

/** A server of Debian's that runs in the foreground, as this user. */
export interface ServerProcess {
  /** What it wrote last. It may hold what tests send, so it goes into no message of a test. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a server, and waits until it answers at `url`, with any status. */
export async function startServer(
  program: DebianProgram,
  args: readonly string[],
  url: string,
): Promise<ServerProcess> {
  const child = spawn(program.path, args, {
    env: { PATH: process.env['PATH'], ...program.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const state = { over: false };
  // Whoever breaks off a run of the tests leaves no server behind.
  const abandon = () => void child.kill('SIGKILL');
  process.once('exit', abandon);
  const ended = once(child, 'close').then(() => {
    state.over = true;
    process.off('exit', abandon);
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const lastResort = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(lastResort);
  };
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end && !state.over) {
    const answered = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      async (response) => {
        await response.body?.cancel();
        return true;
      },
      () => false, // not listening yet
    );
    if (answered) return { output: () => output, stop };
    await sleep(20);
  }
  await stop();
  throw new Error(`${program.path} did not start:\n${output}`);
}
