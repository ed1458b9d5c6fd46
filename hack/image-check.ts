import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentsOf, sizesOf } from './image-check/contents.ts';
import { parseDockerfile } from './image-check/dockerfile.ts';
import { parseIgnoreFile } from './image-check/ignore-file.ts';
import { loadModules } from './image-check/load-modules.ts';
import { probeService, type CheckResults } from './image-check/probe-service.ts';
import { makeReadOnly, replay, type Replayed, type ReplayOptions } from './image-check/replay.ts';

// make image-check: goes through the Dockerfile's steps in a scratch folder, without a container engine, and starts what
// comes out as a container would. What the base images hold is not part of it.

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

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
    console.log(sizesOf(service));
    const contents = report('the image', contentsOf(service, PROJECT));
    makeReadOnly(service.root);
    const loads = report('the image', loadModules(service));
    const runs = report('the service', await probeService(service, folder));
    const provides = report('e2e-idp', idpStarts(idp));
    if (!contents || !loads || !runs || !provides) process.exitCode = 1;
  } finally {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true });
  }
}

await main();
