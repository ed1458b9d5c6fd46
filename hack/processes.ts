import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that was started here and must not outlive us. */
export interface Running {
  readonly name: string;
  /** Resolves with a short description once the process has ended, however it ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Start {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The process's output goes there. */
  readonly logFile: string;
}

const GRACE_MS = 8_000;

/** Starts a Node script with the Node that runs us; its output goes to a file that only we can read. */
export function startProcess({ name, script, args = [], env = {}, logFile }: Start): Running {
  const log = openSync(logFile, 'w', 0o600);
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  });
  const ended = once(child, 'exit').then(([code, signal]) => `${name} ended (${String(signal ?? code)})`);
  return { name, ended, stop: () => stopProcess(child, ended) };
}

async function stopProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM'); // does nothing to a process that has ended
  const lastResort = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(lastResort);
}

/**
 * Waits until an address answers with success.
 * @throws when the process behind it ends first, or when it takes too long
 */
export async function waitUntilReady(url: string, running: Running, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  let failure: string | undefined;
  void running.ended.then((description) => {
    failure = description;
  });
  while (performance.now() < end) {
    if (failure !== undefined) throw new Error(failure);
    const ok = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      (response) => response.ok,
      () => false, // not listening yet: that is what we are waiting for
    );
    if (ok) return;
    await sleep(50);
  }
  throw new Error(`${running.name} is not ready after ${timeoutMs / 1_000} seconds`);
}
