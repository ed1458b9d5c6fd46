import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { annotation } from '../../harness/annotation.ts';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { person } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

/** Lists of writers and readers: docs/api.md, "Who may do what". */

const LISTS = ['writerGroups', 'writerUsers', 'readerGroups', 'readerUsers'] as const;
const NAME_OF = {
  writerGroups: 'writer-groups',
  writerUsers: 'writer-users',
  readerGroups: 'reader-groups',
  readerUsers: 'reader-users',
} as const;
const CLOSED = { allowedGroups: ['no-one'] };
const UNAVAILABLE = 'Namespace access policy is unavailable';

let stack: Stack;
let writer: ApiClient;
let reader: ApiClient;
let namespace: string;
let secrets: SecretsClient;

beforeAll(async () => {
  stack = await openStack();
  writer = await stack.client(person('Writer@example.com', ['writers']));
  reader = await stack.client(person('Reader@example.com', ['readers']));
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
  secrets = secretsOf(stack.admin, namespace);
});

const annotationsOf = async (name: string) =>
  (await stack.kube.getSecret(namespace, name))?.metadata.annotations ?? {};
const put = async (client: ApiClient, name: string, body: object): Promise<ApiAnswer> => {
  const { resourceVersion } = await secrets.read(name);
  return client.put(secrets.path(name), { resourceVersion, ...body });
};
const setPolicy = (lists: Readonly<Record<string, readonly string[]>>) =>
  stack.kube.setPolicy(
    namespace,
    Object.fromEntries(Object.entries(lists).map(([key, list]) => [key, JSON.stringify(list)])),
  );

describe.each(LISTS)('%s', (list) => {
  it('is stored as the allowed lists are, under its own annotation, and shown where it is not empty', async () => {
    const created = await secrets.create('a', { [list]: [' Team A ', 'b', 'b'] });
    expect(created).toMatchObject({ [list]: ['Team A', 'b', 'b'], allowedGroups: [], allowedUsers: [] });
    for (const other of LISTS.filter((one) => one !== list)) expect(created).not.toHaveProperty(other);
    expect((await annotationsOf('a'))[annotation(NAME_OF[list])]).toBe('Team A,b,b');
    const cleared = secretOf(await put(stack.admin, 'a', { [list]: [] }));
    expect(cleared).not.toHaveProperty(list);
    expect((await annotationsOf('a'))[annotation(NAME_OF[list])]).toBe('');
  });

  it('is kept by an update that omits it, without being rewritten', async () => {
    const annotations = { [annotation(NAME_OF[list])]: ' x , ,y' };
    await stack.kube.createSecret(namespace, nativeSecret('a', { key: 'v' }, { metadata: { annotations } }));
    const updated = secretOf(await put(stack.admin, 'a', { data: { key: 'w' }, description: 'd' }));
    expect(updated).toMatchObject({ [list]: ['x', 'y'] });
    expect((await annotationsOf('a'))[annotation(NAME_OF[list])]).toBe(' x , ,y');
  });

  it.each([
    ['a comma', ['planted-4711,b']],
    ['a blank', ['planted-4711', ' ']],
    ['257 bytes', [`planted-4711${'x'.repeat(245)}`]],
    ['257 entries', Array<string>(257).fill('planted-4711')],
    ['a control character', ['planted\u00004711']],
    ['a number', ['planted-4711', 7]],
    ['a text', 'planted-4711'],
  ])('with %s is 400 before any write, and not echoed', async (_what, entries) => {
    const { resourceVersion } = await secrets.create('a');
    const before = await stateOf(stack.kube, namespace);
    for (const answer of [
      await stack.admin.post(secrets.path(), { name: 'b', [list]: entries }),
      await stack.admin.put(secrets.path('a'), { resourceVersion, [list]: entries }),
    ]) {
      const error = errorOf(answer, 400);
      expect(error).toContain(list);
      expect(error).not.toContain('4711');
    }
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('changed by an update needs manage, but not where it is sent as it is stored', async () => {
    const stored = list === 'writerGroups' ? ['writers', 'b'] : ['a', 'b'];
    await secrets.create('a', { ...CLOSED, writerGroups: ['writers'], [list]: stored });
    const same = await put(writer, 'a', { [list]: [` ${stored[0]}`, 'b'], description: 'd' });
    expect(secretOf(same)).toMatchObject({ [list]: stored, description: 'd' });
    const before = await annotationsOf('a');
    for (const changed of [[], [stored[0]], stored.toReversed(), [...stored, 'c'], ['A', 'b']]) {
      const refused = await put(writer, 'a', { [list]: changed, description: 'other' });
      expect(errorOf(refused, 403)).toBe('You do not have manage access to this');
    }
    expect(await annotationsOf('a')).toEqual(before);
    expect(secretOf(await put(stack.admin, 'a', { [list]: ['c'] }))).toMatchObject({ [list]: ['c'] });
  });

  it('is taken over by the final snapshot, and kept by the restore of the deleted Secret', async () => {
    const { resourceVersion } = await secrets.create('a', { ...CLOSED, [list]: ['x', 'y'] });
    const query = '&keepHistory=true&archive=true';
    const answer = await stack.admin.delete(secrets.deletePath('a', resourceVersion, query));
    const { uid } = jsonOf(answer, 200) as { uid: string };
    const path = `/api/namespaces/${namespace}/deleted`;
    const { deleted } = jsonOf(await stack.admin.get(path), 200) as { deleted: object[] };
    expect(deleted).toMatchObject([{ ...CLOSED, [list]: ['x', 'y'] }]);
    const restored = jsonOf(await stack.admin.post(`${path}/${uid}/restore`, {}), 201) as { secret: object };
    expect(restored.secret).toMatchObject({ ...CLOSED, [list]: ['x', 'y'] });
    expect((await annotationsOf('a'))[annotation(NAME_OF[list])]).toBe('x,y');
  });

  it('of a policy without allowed lists makes the policy invalid: 503, also for lists', async () => {
    await secrets.create('a');
    await setPolicy({ [list]: ['writers', 'readers', 'writer@example.com', 'reader@example.com'] });
    for (const path of [secrets.path(), secrets.path('a'), `/api/access?namespace=${namespace}`]) {
      expect(errorOf(await writer.get(path), 503)).toBe(UNAVAILABLE);
    }
    expect(errorOf(await writer.post(secrets.path(), { name: 'b' }), 503)).toBe(UNAVAILABLE);
    expect((await stack.admin.get(secrets.path('a'))).status).toBe(200);
  });
});

describe('writers and readers', () => {
  it('of the Secret always count, with or without allowed lists; emails without case', async () => {
    await setPolicy({ allowedGroups: ['no-one'] });
    const lists = { writerUsers: ['wRiter@example.com'], readerUsers: ['READER@example.com'] };
    await secrets.create('with', { ...CLOSED, ...lists });
    await secrets.create('without', lists);
    for (const name of ['with', 'without']) {
      expect((await put(writer, name, { description: 'd' })).status).toBe(200);
      expect((await reader.get(secrets.path(name))).status).toBe(200);
      expect(errorOf(await put(reader, name, {}), 403)).toBe('You do not have write access to this');
    }
  });

  it('of the namespace count for Secrets without any of the six lists of their own', async () => {
    await setPolicy({ ...CLOSED, writerGroups: ['writers'], readerGroups: ['readers'] });
    await secrets.create('plain');
    await secrets.create('own', { readerGroups: ['others'] });
    expect((await put(writer, 'plain', { description: 'd' })).status).toBe(200);
    expect((await reader.get(secrets.path('plain'))).status).toBe(200);
    for (const client of [writer, reader]) {
      expect(errorOf(await client.get(secrets.path('own')), 403)).toBe('You do not have read access to this');
    }
  });

  it('take nothing from those whom the namespace lets manage', async () => {
    await setPolicy({ allowedGroups: ['team-a'] });
    const { resourceVersion } = await secrets.create('a', { readerGroups: ['readers'] });
    const answer = await stack.developerA.delete(secrets.deletePath('a', resourceVersion));
    expect(jsonOf(answer, 200)).toMatchObject({ status: 'deleted' });
  });

  it('have what is certain while the policy cannot be used; what it might give is 503', async () => {
    await secrets.create('a', { readerGroups: ['readers'] });
    await stack.kube.setPolicy(namespace, { allowedGroups: 'unusable' });
    expect((await reader.get(secrets.path('a'))).status).toBe(200);
    expect(jsonOf(await reader.get(secrets.path('a', '/access')), 200)).toEqual({
      level: 'read',
      by: 'secret',
      namespaceRules: { state: 'unusable' },
    });
    expect(errorOf(await put(reader, 'a', {}), 503)).toBe(UNAVAILABLE);
    expect(errorOf(await reader.get(secrets.path()), 503)).toBe(UNAVAILABLE);
  });

  it('whoever may create may give the new Secret rules', async () => {
    await setPolicy({ ...CLOSED, writerGroups: ['writers'] });
    const rules = { allowedGroups: ['team-b'], readerUsers: ['a@example.com'] };
    const made = jsonOf(await writer.post(secrets.path(), { name: 'a', ...rules }), 201);
    expect(made).toMatchObject({ secret: rules });
    errorOf(await writer.get(secrets.path('a')), 403);
  });

  it('a change of rules is audited with the level that it needs, where it is denied, too', async () => {
    await secrets.create('a', { ...CLOSED, writerGroups: ['writers'] });
    await put(writer, 'a', { description: 'd' });
    await put(writer, 'a', { readerGroups: ['x'] });
    await put(stack.admin, 'a', { readerGroups: ['x'] });
    await eventually(() => {
      const lines = stack.service
        .logLines()
        .filter((line) => line['namespace'] === namespace && line['action'] === 'secret.update')
        .map(({ actor, accessLevel, outcome }) => [actor, accessLevel, outcome]);
      expect(lines).toEqual([
        ['writer@example.com', 'write', 'succeeded'],
        ['writer@example.com', 'manage', 'denied'],
        ['admin@example.com', 'manage', 'succeeded'],
      ]);
    });
  });
});
