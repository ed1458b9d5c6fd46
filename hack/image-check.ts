import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDockerfile } from './image-check/dockerfile.ts';
import { parseIgnoreFile } from './image-check/ignore-file.ts';
import { probeService, type CheckResults } from './image-check/probe-service.ts';
import { makeReadOnly, replay, type Replayed, type ReplayOptions } from './image-check/replay.ts';

// make image-check: goes through the Dockerfile's steps in a scratch folder, without a container engine, and starts what
// comes out as a container would. What the base images hold is not part of it.

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

function contentsOf({ root }: Replayed): CheckResults {
  const app = path.join(root, 'app');
  const lock = JSON.parse(readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly optional?: true }>>;
  };
  const packages = Object.entries(lock.packages).filter(([name]) => name !== '');
  const isThere = ([name]: readonly [string, object]): boolean => existsSync(path.join(app, name));
  const [left, needed] = [packages.filter(isLeftOut), packages.filter((one) => !isLeftOut(one))];
  return {
    'holds nothing but what it needs': sameMembers(readdirSync(app), [
      ...['LICENSE', 'NOTICES', 'dist', 'node_modules', 'package.json', 'web'],
    ]),
    'holds the pages, and not their sources': sameMembers(readdirSync(path.join(app, 'web')), ['dist']),
    'holds every package that it needs': needed.length > 0 && needed.every(isThere),
    'holds no package that development alone needs': left.length > 0 && !left.some(isThere),
  };
}

/** Whether a package of the lock file is for development, or optional: those bring a Node of their own. */
function isLeftOut([, { dev, optional }]: readonly [string, { dev?: true; optional?: true }]): boolean {
  return dev === true || optional === true;
}

/** The provider's own start is enough: it has no state and no cluster. */
function idpStarts({ root, entrypoint, cmd }: Replayed): CheckResults {
  const [program = ''] = entrypoint;
  const script = `await import(${JSON.stringify(`./${cmd[0] ?? ''}`)}); process.kill(process.pid, 'SIGTERM')`;
  const output = execFileSync(
    path.join(root, program),
    ['--input-type=module', '--eval', script, '--', '--port=0'],
    { cwd: path.join(root, 'app'), encoding: 'utf8' },
  );
  return { 'starts the identity provider': output.includes('Development identity provider: http') };
}

function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns whether all is as it should be */
function report(of: string, results: CheckResults): boolean {
  for (const [check, holds] of Object.entries(results)) {
    console.log(`${holds ? 'ok    ' : 'FAILED'} ${of}: ${check}`);
  }
  return Object.values(results).every((holds) => holds);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'image-check-'));
  chmodSync(folder, 0o755);
  try {
    const stages = parseDockerfile(readFileSync(path.join(PROJECT, 'Dockerfile'), 'utf8'));
    const isSent = parseIgnoreFile(readFileSync(path.join(PROJECT, '.dockerignore'), 'utf8'));
    const options: ReplayOptions = {
      ...{ project: PROJECT, isSent, folder, node: process.execPath },
      log: (line) => {
        console.log(line);
      },
    };
    const replayed = replay(stages, ['service', 'e2e-idp'], options);
    const [service, idp] = [replayed.get('service'), replayed.get('e2e-idp')];
    if (service === undefined || idp === undefined) throw new Error('The Dockerfile lacks a stage');
    const contents = report('the image', contentsOf(service));
    makeReadOnly(service.root);
    const ports = { api: await freePort(), operations: await freePort() };
    const runs = report('the service', await probeService(service, folder, ports));
    const provides = report('e2e-idp', idpStarts(idp));
    if (!contents || !runs || !provides) process.exitCode = 1;
  } finally {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true });
  }
}

await main();
