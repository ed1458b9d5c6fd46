import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/harness/free-port.ts';
import type { Replayed } from './replay.ts';
import { startSurroundings } from './surroundings.ts';

const READY_TIMEOUT_MS = 30_000;
const NOWHERE = '/nonexistent';

/** What is found out about the service, started as a container would start it; each one ought to be true. */
export type CheckResults = Readonly<Record<string, boolean>>;

/**
 * Starts what an image holds, in surroundings that need most of it, without a home, a temporary folder or a file that it may
 * write, under the image's own user when we may choose one, and stops it with SIGTERM.
 */
export async function probeService(image: Replayed, folder: string): Promise<CheckResults> {
  const [api, operations] = [await freePort(), await freePort()];
  const surroundings = await startSurroundings();
  const [program = '', ...entryArgs] = image.entrypoint;
  const node = path.join(image.root, program);
  const kubeconfig = path.join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, surroundings.kubeconfig(node), { mode: 0o444 });
  const settings = {
    ...{ KUBECONFIG: kubeconfig, HOST: '127.0.0.1', NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' },
    ...{ PORT: String(api), OPS_PORT: String(operations) },
    OTEL_EXPORTER_OTLP_ENDPOINT: surroundings.collectorUrl,
  };
  const options = optionsOf(image, settings);
  const child = spawn(node, [...entryArgs, ...image.cmd], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const becameReady = await isReady(`http://127.0.0.1:${operations}/readyz`, child);
    const page = await get(`http://127.0.0.1:${api}/`);
    const config = await get(`http://127.0.0.1:${api}/api/config`);
    const healthy = healthOf(image, options) === 0;
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    return {
      'becomes ready': becameReady,
      'reaches the cluster through a proxy, as whom a program names': surroundings.tunnels() > 0,
      'serves the pages': page.includes('<!doctype html>'),
      'serves its version': /"version":\s*"\d+\.\d+\.\d+/.test(config),
      'its health check passes': healthy,
      'ends by itself on SIGTERM': code === 0,
      'has sent traces by then': surroundings.exports() > 0,
      'its health check fails once it has ended': healthOf(image, options) === 1,
    };
  } finally {
    child.kill('SIGKILL');
    await surroundings.close();
  }
}

function optionsOf({ root, workdir, env, user }: Replayed, settings: Readonly<Record<string, string>>) {
  const [uid = NaN, gid = NaN] = user.split(':').map(Number);
  return {
    cwd: path.join(root, workdir),
    env: { ...env, ...settings, HOME: NOWHERE, TMPDIR: NOWHERE },
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  };
}

function healthOf({ root, healthcheck }: Replayed, options: ReturnType<typeof optionsOf>): number | null {
  const [program = '', ...args] = healthcheck;
  return spawnSync(path.join(root, program), args, { ...options, stdio: 'inherit' }).status;
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < end && child.exitCode === null) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false, // not listening yet
    );
    if (ok) return true;
    await sleep(50);
  }
  return false;
}

/** The text of an answer; empty when there is none, which no check takes for a success. */
function get(url: string): Promise<string> {
  return fetch(url).then(
    (response) => response.text(),
    () => '',
  );
}
