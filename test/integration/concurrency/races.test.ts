import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, clientFor, DEVELOPER_A, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { errorOf } from '../../harness/answers.ts';
import { isCall } from '../../harness/cluster-calls.ts';
import { startInProcessStack } from '../../harness/in-process-stack.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const ROUNDS = 15;

let stack: Stack;
let namespace: string;
let one: ApiClient;
let other: ApiClient;
let secrets: SecretsClient;

beforeAll(async () => {
  const env = { LOG_LEVEL: 'warn' };
  stack = await startStack({ env });
  one = await stack.client(DEVELOPER_A);
  other = await clientFor((await stack.anotherService({ env })).url, DEVELOPER_A);
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
  secrets = secretsOf(one, namespace);
});

const rounds = Array.from({ length: ROUNDS }, (_, index) => `s${index}`);
const live = (name: string) => stack.kube.getSecret(namespace, name);
const snapshotsOf = async (name: string) =>
  (await stack.kube.listSecrets(namespace, 'service.io/kind=history')).filter(
    ({ metadata }) => metadata.annotations?.['service.io/history-of'] === name,
  );
const succeeded = (...answers: readonly ApiAnswer[]): number =>
  answers.filter(({ status }) => status < 300).length;

describe('two service processes at once', () => {
  it('an update against a deletion of the same revision: never do both succeed, and what was acknowledged holds', async () => {
    for (const name of rounds) {
      const { resourceVersion, version } = await secrets.createWithHistory(name, 1);
      const [update, remove] = await Promise.all([
        one.put(secrets.path(name), { resourceVersion, data: { key: 'new' } }),
        other.delete(secrets.deletePath(name, resourceVersion)),
      ]);
      const mayBeNone = [update, remove].some(({ status }) => status === 503);
      expect(mayBeNone ? [0, 1] : [1]).toContain(succeeded(update, remove));
      expect([200, 404, 409, 503]).toContain(update.status);
      expect([200, 409, 503]).toContain(remove.status);
      const after = await live(name);
      if (remove.status === 200) expect(after).toBeUndefined();
      else expect(after).toBeDefined();
      const counter = after?.metadata.annotations?.['service.io/version'];
      if (update.status === 200) expect(counter).toBe(String(version + 1));
      else if (after !== undefined) expect(counter).toBe(String(version));
    }
  });

  it('two deletions of the same revision: exactly one succeeds', async () => {
    for (const name of rounds) {
      const { resourceVersion } = await secrets.createWithHistory(name, 2);
      const answers = await Promise.all(
        [one, other].map((client) => client.delete(secrets.deletePath(name, resourceVersion))),
      );
      expect(succeeded(...answers)).toBe(1);
      expect([404, 409]).toContain(answers.find(({ status }) => status !== 200)?.status);
      expect(await live(name)).toBeUndefined();
      expect(await snapshotsOf(name)).toEqual([]);
    }
  });

  it('creations of the same name: exactly one succeeds, and its values are stored', async () => {
    for (const name of rounds) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? one : other).post(secrets.path(), { name, data: { creator: String(index) } }),
        ),
      );
      const winner = answers.findIndex(({ status }) => status === 201);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      expect((await secrets.read(name)).data).toEqual({ creator: String(winner) });
    }
  });

  it('an update against a restore of the same revision: exactly one succeeds, with one snapshot', async () => {
    for (const name of rounds) {
      const { resourceVersion } = await secrets.createWithHistory(name, 1);
      const answers = await Promise.all([
        one.put(secrets.path(name), { resourceVersion, data: { key: 'new' } }),
        other.post(secrets.path(name, '/restore'), { resourceVersion, version: 1 }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { version, data } = await secrets.read(name);
      expect(version).toBe(3);
      expect(data).toEqual({ key: answers[0].status === 200 ? 'new' : 'value 1' });
      expect(await secrets.versions(name)).toEqual([2, 1]);
    }
  });

  it('a creation against the deletion of its predecessor: the name ends up as the answers say', async () => {
    for (const name of rounds) {
      const { resourceVersion } = await secrets.createWithHistory(name, 1);
      const [create, remove] = await Promise.all([
        one.post(secrets.path(), { name, data: { key: 'second life' } }),
        other.delete(secrets.deletePath(name, resourceVersion)),
      ]);
      expect([201, 409]).toContain(create.status);
      // 409 only when the new one was seen in the place of the old.
      expect([200, ...(create.status === 201 ? [409] : [])]).toContain(remove.status);
      const after = await live(name);
      if (create.status === 201) expect(after?.metadata.annotations?.['service.io/version']).toBe('1');
      else expect(after).toBeUndefined();
      if (create.status === 201) expect(await secrets.versions(name)).toEqual([]);
    }
  });
});

describe('a kubectl edit between the snapshot and the replacement', () => {
  it('is 409 twice, then an admin says "reviewed", and both states are archived', async () => {
    const between = await startInProcessStack();
    const place = await between.namespace();
    const admin = await between.client(ADMIN);
    const developer = await between.client(DEVELOPER_A);
    const mine = secretsOf(developer, place);
    const { resourceVersion } = await mine.create('a', { data: { key: 'first' } });
    const edited = Buffer.from('by kubectl').toString('base64');
    between.between.before(isCall(place, 'PUT a'), () =>
      between.kube.patchSecret(place, 'a', { data: { key: edited } }),
    );
    const write = async (client: ApiClient, more: object = {}): Promise<ApiAnswer> =>
      client.put(mine.path('a'), {
        resourceVersion: (await mine.read('a')).resourceVersion,
        data: { key: 'second' },
        ...more,
      });

    errorOf(await developer.put(mine.path('a'), { resourceVersion, data: { key: 'second' } }), 409);
    expect((await mine.read('a')).data).toEqual({ key: 'by kubectl' });
    expect(errorOf(await write(developer), 409)).toMatch(/admin must review/);
    errorOf(await write(developer, { recoverCounter: true }), 403);
    expect((await mine.read('a')).data).toEqual({ key: 'by kubectl' });

    const recovered = await write(admin, { recoverCounter: true });
    expect(recovered.json).toMatchObject({ secret: { version: 3, data: { key: 'second' } } });
    const archived = await Promise.all(
      [1, 2].map(async (version) => (await developer.get(mine.path('a', `/versions/${version}`))).json),
    );
    expect(archived).toMatchObject([
      { version: { data: { key: 'first' } } },
      { version: { data: { key: 'by kubectl' } } },
    ]);
    expect((await write(developer)).status).toBe(200);
    await between.close();
  });
});
