import { setTimeout as sleep } from 'node:timers/promises';
import { secretsPath } from '../harness/secret-paths.ts';
import { onBenchFixture, say } from './fixture.ts';
import {
  CONNECTIONS,
  flood,
  neverRead,
  neverUsed,
  slowBodies,
  slowHeaders,
  unfinishedBodies,
  updates,
} from './hostile-clients.ts';
import { attacked, MIB, SECONDS, setUp, UPDATED, type Scene } from './hostile-scene.ts';
import { memoryOf } from './installed-limits.ts';
import { sendExpensive } from './hostile-expensive.ts';

/**
 * What one signed-in person can do to another: how long another person's cached list takes while the service is
 * attacked, and how much memory the service takes, with the limits of the installation's own manifest.
 */
await onBenchFixture(async (fixture) => {
  const scene = await setUp(fixture);
  const atRest = memoryOf(scene.service, 'VmRSS');
  try {
    await attacked('nothing', scene, () => sleep(SECONDS));
    await sendBlankContentTypes(scene);
    await sendDearBodies(scene);
    await holdBodies(scene);
    await listAtOnce(scene);
    await useWholeRateLimits(scene);
    await updateAtOnce(scene);
    await sendExpensive(scene);
    await connectSlowly(scene, atRest);
  } finally {
    await scene.probe.stop();
  }
});

async function sendBlankContentTypes(scene: Scene): Promise<void> {
  const from = await scene.someone();
  const path = secretsPath(scene.namespaces.others);
  const blanks = `application/json; charset=${' '.repeat(7_500)}""b`;
  await attacked('content types of 7,500 blanks', scene, () =>
    flood(from, { method: 'POST', path, headers: { 'content-type': blanks } }, 8, SECONDS),
  );
}

async function sendDearBodies(scene: Scene): Promise<void> {
  const path = secretsPath(scene.namespaces.others);
  const bodies = {
    '{"x":[{},{},…]}': Buffer.concat([
      Buffer.from('{"x":[{}'),
      Buffer.from(',{}'.repeat(5_592_000)),
      Buffer.from(']}'),
    ]),
    '[[[[…': Buffer.alloc(16 * MIB - 1, '['),
    'many keys': Buffer.from(
      `{${Array.from({ length: 1_200_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    ),
  };
  for (const [name, body] of Object.entries(bodies)) {
    await attacked(`bodies of 16 MiB, ${name}`, scene, async () =>
      flood(await scene.someone(), { method: 'POST', path, body }, 4, SECONDS),
    );
  }
}

async function holdBodies(scene: Scene): Promise<void> {
  const path = secretsPath(scene.namespaces.others);
  await attacked('40 unfinished bodies of 15 MiB', scene, async () =>
    unfinishedBodies(await scene.someone(), path, 40, SECONDS),
  );
  await attacked('40 connections that keep refused bodies of 4 MiB', scene, async () => {
    const from = await scene.someone();
    const body = Buffer.from(JSON.stringify({ unknown: 'u'.repeat(4 * MIB) }));
    return flood(from, { method: 'POST', path, body }, 40, SECONDS);
  });
}

async function listAtOnce(scene: Scene): Promise<void> {
  const { large, tooMany } = scene.namespaces;
  const live = { path: secretsPath(large), headers: { 'cache-control': 'no-cache' } };
  await attacked('40 live lists of 31 MB at once', scene, async () =>
    flood(await scene.someone(), live, 40, SECONDS),
  );
  await attacked('40 lists of 5,200 Secrets at once', scene, async () =>
    flood(await scene.someone(), { path: secretsPath(tooMany) }, 40, SECONDS),
  );
}

async function useWholeRateLimits(scene: Scene): Promise<void> {
  const collection = secretsPath(scene.namespaces.dear);
  const secret = `${collection}/large`;
  const reads = { 'reads of 1 MiB': secret, 'lists of ten versions of 1 MiB': `${secret}/versions` };
  for (const [name, path] of Object.entries(reads)) {
    await attacked(`a whole rate limit of ${name}`, scene, async () =>
      flood(await scene.someone(['platform-admins']), { path }, 100, 2 * SECONDS, 1_200),
    );
  }
  await attacked('a whole rate limit of writes of 1 MiB', scene, async () => {
    const body = Buffer.from(JSON.stringify({ name: 'large', data: { value: 'z'.repeat(1_000 * 1_024) } }));
    const from = await scene.someone(['platform-admins']);
    return flood(from, { method: 'POST', path: collection, body }, 100, 2 * SECONDS, 1_200);
  });
}

async function updateAtOnce(scene: Scene): Promise<void> {
  const collection = secretsPath(scene.namespaces.dear);
  await attacked('updates of 1 MiB, eight at a time', scene, async () =>
    updates(
      await scene.someone(['platform-admins']),
      UPDATED.map((name) => `${collection}/${name}`),
      () => ({ data: { value: 'z'.repeat(1_000 * 1_024) } }),
      2 * SECONDS,
    ),
  );
}

async function connectSlowly(scene: Scene, atRest: number): Promise<void> {
  const { service, namespaces } = scene;
  const slow = {
    'never used': neverUsed,
    'with slow headers': slowHeaders,
    'with slow bodies': slowBodies,
    'whose answers are never read': neverRead,
  };
  const before = memoryOf(service, 'VmRSS');
  for (const [name, attack] of Object.entries(slow)) {
    await attacked(`${CONNECTIONS} connections ${name}`, scene, async () =>
      attack(await scene.someone(), secretsPath(namespaces.others), SECONDS),
    );
  }
  await attacked('a minute later', scene, () => sleep(60_000));
  const after = memoryOf(service, 'VmRSS');
  say('memory', {
    'RSS at rest MiB': atRest / MIB,
    'before slow clients': before / MIB,
    'a minute after them': after / MIB,
    'times (aim 1.2)': after / before,
  });
}
