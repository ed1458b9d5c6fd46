import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { eventually } from '../../harness/eventually.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const run = promisify(execFile);

export interface Ports {
  readonly PORT: string;
  readonly OPS_PORT: string;
  readonly DEV_IDP_PORT: string;
  readonly DEV_CLUSTER_PORT: string;
}

export async function freePorts(): Promise<Ports> {
  const [one, two, three, four] = [await freePort(), await freePort(), await freePort(), await freePort()];
  return {
    PORT: String(one),
    OPS_PORT: String(two),
    DEV_IDP_PORT: String(three),
    DEV_CLUSTER_PORT: String(four),
  };
}

/** A folder for what `make run` keeps, so that the developer's own is left alone. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'service-run-'));
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true });
    },
  };
}

/** What `make run` starts once the service is built, in a process group of its own, as a terminal starts it. */
export interface MakeRun {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<number | null>;
  /** To the group, as Ctrl-C sends it, or to the first process alone. */
  signal(signal: NodeJS.Signals, to: 'group' | 'process'): void;
  /** Whether any process of the group is left. */
  isGroupAlive(): boolean;
}

export function startMakeRun(folder: string, ports: Ports): MakeRun {
  const child = spawn(process.execPath, ['hack/run.ts'], {
    cwd: ROOT,
    detached: true,
    env: { PATH: process.env['PATH'], HOME: folder, DEV_FOLDER: folder, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('hack/run.ts did not start');
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')));
  return {
    pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended: once(child, 'close').then(([code]) => code as number | null),
    signal: (signal, to) => void process.kill(to === 'group' ? -pid : pid, signal),
    isGroupAlive: () => isAlive(-pid),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: there is none
  }
}

/** Runs a line as someone who has pasted it into a shell. */
export async function shell(line: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', line], { cwd: ROOT, env: { PATH: process.env['PATH'] } });
  return stdout.trim();
}

/** The process ids of a process's children, with what they run. */
export async function childrenOf(pid: number): Promise<readonly { pid: number; command: string }[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match?.[2] === String(pid))
    .map((match) => ({ pid: Number(match?.[1]), command: match?.[3] ?? '' }));
}

export const READY_MS = 40_000;

/** Resolves when everything is up. */
export async function ready(running: MakeRun): Promise<void> {
  await eventually(() => {
    expect(running.stdout() + running.stderr()).toContain('The service is ready');
  }, READY_MS);
}

export async function nothingLeft(running: MakeRun): Promise<void> {
  await running.ended;
  await eventually(() => {
    expect(running.isGroupAlive()).toBe(false);
  });
}
