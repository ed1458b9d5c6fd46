import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PREFIX } from './annotation.ts';
import { collectLog } from './collected-log.ts';
import { freePort } from './free-port.ts';
import { METER_ARGUMENTS, meterOf, type ProcessMeter } from './process-meter/process-meter.ts';

/** The key that test services sign with; it signs nothing anywhere else. */
export const TEST_SESSION_SECRET = 'a-key-for-tests-only-0123456789-abcdefghij';

const ENTRY = new URL('../../dist/main.js', import.meta.url).pathname;
const READY_TIMEOUT_MS = 40_000;
/** A third of a start is compiling the same modules; a run of the tests has hundreds of starts. */
const COMPILE_CACHE = join(tmpdir(), 'service-test-compile-cache');

/** The built service as a process of its own, as `npm start` runs it. */
export interface ServiceProcess {
  readonly url: string;
  readonly opsUrl: string;
  readonly pid: number;
  /** Everything written to standard output and standard error so far. */
  output(): string;
  /** The log lines so far, parsed. */
  logLines(): readonly Record<string, unknown>[];
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, and wait; resolves with the exit code (null when a signal ended it). */
  stop(): Promise<number | null>;
  readonly ended: Promise<number | null>;
  /** What the process uses; only of one that was started as `metered`. */
  readonly meter: ProcessMeter;
}

export interface ServiceProcessOptions {
  readonly kubeconfigFile: string;
  /** On top of a complete set of settings for tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** The `dist/main.js` to run: this tree's (default), or another build's. */
  readonly entry?: string;
  /** Wait until `/readyz` answers 200 (default), or only until the operations port answers. */
  readonly waitFor?: 'ready' | 'live';
  readonly metered?: true;
}

export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const entry = options.entry ?? ENTRY;
  if (!existsSync(entry)) throw new Error('dist/main.js is missing: run `make build` first');
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [...(options.metered ? METER_ARGUMENTS : []), entry], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      KUBECONFIG: options.kubeconfigFile,
      SESSION_SECRET: TEST_SESSION_SECRET,
      SERVICE_ADMIN_GROUPS: 'platform-admins',
      SERVICE_RATE_LIMIT: 'off',
      SERVICE_LOGIN_RATE_LIMIT: 'off',
      LOG_LEVEL: 'trace',
      SERVICE_ANNOTATION_PREFIX: PREFIX,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.metered ? (['ipc'] as const) : [])],
  });
  const log = collectLog((line) => line.startsWith('{') && line.endsWith('}'));
  const collect = (chunk: Buffer) => {
    log.write(chunk.toString('utf8'));
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  // Whoever breaks off a run of the tests leaves no service behind.
  const abandon = () => void child.kill('SIGKILL');
  process.once('exit', abandon);
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', abandon);
    return code as number | null;
  });
  const meter = options.metered ? meterOf(child) : undefined;
  const service: ServiceProcess = {
    url: `http://localhost:${port}`,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    pid: child.pid ?? 0,
    output: () => log.text(),
    logLines: () => log.lines(),
    signal: (signal) => void child.kill(signal),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    ended,
    get meter() {
      if (meter === undefined) throw new Error('this service was not started as `metered`');
      return meter;
    },
  };
  await answers(`${service.opsUrl}${options.waitFor === 'live' ? '/livez' : '/readyz'}`, service);
  return service;
}

async function answers(url: string, service: ServiceProcess): Promise<void> {
  const state = { over: false };
  void service.ended.then(() => {
    state.over = true;
  });
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end) {
    if (state.over) throw new Error(`the service ended before it was ready:\n${service.output()}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false, // not listening yet
    );
    if (ok) return;
    await sleep(25);
  }
  service.signal('SIGKILL');
  throw new Error(`the service is not ready after ${READY_TIMEOUT_MS} ms:\n${service.output()}`);
}
