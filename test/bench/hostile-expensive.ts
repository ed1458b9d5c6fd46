import { annotation } from '../harness/annotation.ts';
import { clientWith } from '../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../harness/secret-paths.ts';
import { dsaKey } from '../fakes/expensive-keys.ts';
import { flood, neverRead, newcomers, unfinishedBodies, updates, type Target } from './hostile-clients.ts';
import { attacked, isWanted, SECONDS, type Scene } from './hostile-scene.ts';

/** Small requests and small Secrets that are expensive for the service. */
export async function sendExpensive(scene: Scene): Promise<void> {
  await readLongKey(scene);
  await searchManyWords(scene);
  await writeNewRules(scene);
  await fillCache(scene);
  await holdBodiesOfFourSessions(scene);
  await useFourRateLimits(scene);
  await leaveAnswersUnread(scene);
  await listDeleted(scene);
  await searchLongUsers(scene);
}

const ADMINS = ['platform-admins'];
const post = (path: string, body: object) => ({
  method: 'POST',
  path,
  body: Buffer.from(JSON.stringify(body)),
});

/** Works off so many, some at a time, for as long as it may take. @returns how many were worked off */
async function each(
  count: number,
  one: (index: number) => Promise<unknown>,
  durationMs = Infinity,
): Promise<string> {
  const end = performance.now() + durationMs;
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count && performance.now() < end) await one(begun++);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return String(begun);
}

function annotated(name: string, values: Readonly<Record<string, string>>, annotations: object): object {
  const named = Object.entries(annotations).map(([key, value]) => [annotation(key), String(value)]);
  return nativeSecret(name, values, { metadata: { annotations: Object.fromEntries(named) as object } });
}

async function readLongKey(scene: Scene): Promise<void> {
  const what = 'reads of a DSA key of 24,576 bits';
  if (!isWanted(what)) return;
  const [path, from] = [secretsPath(await scene.namespace()), await scene.someone(ADMINS)];
  const data = { 'tls.key': dsaKey(24_576), 'tls.crt': '' };
  const body = { name: 'long', type: 'kubernetes.io/tls', data };
  await attacked(what, scene, async () => {
    const created = await flood(from, post(path, body), 1, SECONDS, 1);
    return `${created} ${await flood(from, { path: `${path}/long` }, 8, SECONDS)}`;
  });
}

async function searchManyWords(scene: Scene): Promise<void> {
  const what = 'searches of 128 and of 16 words in descriptions of 250 kB';
  if (!isWanted(what)) return;
  const namespace = await scene.namespace();
  const words = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const description = 'ä'.repeat(124_000) + words.join('');
  await each(40, (index) =>
    scene.kube.createSecret(namespace, annotated(`long-${index}`, {}, { description })),
  );
  const searches = [128, 16].map(
    (count) => `/api/search?limit=200&q=${encodeURIComponent(words.slice(-count).join(' '))}`,
  );
  await attacked(what, scene, async () => {
    const from = await scene.someone(ADMINS);
    return (await Promise.all(searches.map((path) => flood(from, { path }, 4, SECONDS)))).join(' ');
  });
}

async function writeNewRules(scene: Scene): Promise<void> {
  const what = 'updates with ever new rules of 120 kB';
  if (!isWanted(what)) return;
  const path = secretsPath(await scene.namespace());
  const from = await scene.someone(ADMINS);
  const names = Array.from({ length: 8 }, (_, index) => `ruled-${index}`);
  for (const name of names) await flood(from, post(path, { name, data: { a: 'b' } }), 1, SECONDS, 1);
  await attacked(what, scene, () =>
    updates(
      from,
      names.map((name) => `${path}/${name}`),
      newRules,
      2 * SECONDS,
    ),
  );
}

let rules = 0;
const newRules = (): object => {
  const number = rules++;
  const entries = (kind: string): string[] =>
    Array.from({ length: 256 }, (_, at) => `${number}-${at}-${kind}`.padEnd(240, 'x'));
  return { allowedGroups: entries('group'), allowedUsers: entries('user') };
};

async function fillCache(scene: Scene): Promise<void> {
  const what = '540 Secrets with 1,900 long key names and 250 kB of description';
  if (!isWanted(what)) return;
  const namespace = await scene.namespace();
  const key = (index: number) => `${'k'.repeat(240)}${String(index).padStart(6, '0')}`;
  const values = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [key(index), '']));
  const description = 'ä'.repeat(125_000);
  await attacked(what, scene, () =>
    each(
      540,
      (index) => scene.kube.createSecret(namespace, annotated(`wide-${index}`, values, { description })),
      2 * SECONDS,
    ),
  );
  await each(540, (index) => scene.kube.deleteSecret(namespace, `wide-${index}`));
}

/** What comes to others while one person attacks: their writes are part of what is answered. */
async function besidesWrites(
  scene: Scene,
  attack: (sessions: readonly Target[]) => Promise<string>,
): Promise<string> {
  const path = secretsPath(await scene.namespace());
  const other = await scene.someone();
  const first = await scene.someone();
  const sessions = [first, await scene.again(), await scene.again(), await scene.again()];
  const write = post(path, { name: 'written', data: { a: 'b' } });
  const [theirs, writes] = await Promise.all([attack(sessions), flood(other, write, 1, SECONDS, 1_000)]);
  return `${theirs}, to others ${writes}`;
}

async function holdBodiesOfFourSessions(scene: Scene): Promise<void> {
  await attacked('unfinished bodies of 15 MiB in four sessions', scene, () =>
    besidesWrites(scene, async (sessions) => {
      const path = secretsPath(scene.namespaces.others);
      await Promise.all(sessions.map((from) => unfinishedBodies(from, path, 2, SECONDS)));
      return '';
    }),
  );
}

async function useFourRateLimits(scene: Scene): Promise<void> {
  await attacked('all that one person may request, in four sessions', scene, () =>
    besidesWrites(scene, async (sessions) => {
      const attack = { path: secretsPath(scene.namespaces.dear) };
      return (await Promise.all(sessions.map((from) => flood(from, attack, 4, SECONDS)))).join(' ');
    }),
  );
}

async function leaveAnswersUnread(scene: Scene): Promise<void> {
  await attacked('1,000 connections of strangers with unread answers', scene, async () => {
    const [strangers, path] = [{ url: scene.service.url, cookie: '' }, '/api/openapi.json'];
    const [others] = await Promise.all([
      newcomers(strangers, '/api/config', SECONDS),
      neverRead(strangers, path, SECONDS, 1_000),
    ]);
    return `to others ${others}`;
  });
}

async function listDeleted(scene: Scene): Promise<void> {
  const what = 'lists of 80 deleted Secrets of 1 MB';
  if (!isWanted(what)) return;
  const namespace = await scene.namespace();
  const from = await scene.someone(ADMINS);
  const admin = clientWith(scene.service.url, { cookie: from.cookie });
  const path = secretsPath(namespace);
  const data = { value: 'd'.repeat(1_000 * 1_024) };
  for (let index = 0; index < 80; index++) {
    const created = await admin.post(path, { name: `deleted-${index}`, data });
    const { resourceVersion } = (created.json as { secret: { resourceVersion: string } }).secret;
    const query = `?resourceVersion=${resourceVersion}&keepHistory=true&archive=true`;
    await admin.delete(`${path}/deleted-${index}${query}`);
  }
  const deleted = { path: `/api/namespaces/${namespace}/deleted` };
  await attacked(what, scene, () => flood(from, deleted, 8, SECONDS));
}

async function searchLongUsers(scene: Scene): Promise<void> {
  const what = 'searches and pages of 130 Secrets with long allowed users';
  if (!isWanted(what)) return;
  const namespace = await scene.namespace();
  const users = (index: number) =>
    Array.from({ length: 256 }, (_, at) => `${'İ'.repeat(220)}${index}-${at}`).join();
  await each(130, (index) =>
    scene.kube.createSecret(namespace, annotated(`users-${index}`, {}, { 'allowed-users': users(index) })),
  );
  const paths = ['/api/search?q=users', `${secretsPath(namespace)}?limit=100`];
  await attacked(what, scene, async () => {
    const from = await scene.someone();
    return (await Promise.all(paths.map((path) => flood(from, { path }, 4, SECONDS)))).join(' ');
  });
}
