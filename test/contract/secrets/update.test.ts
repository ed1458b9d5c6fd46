import { describe, expect, it } from 'vitest';
import { DEVELOPER_A, person } from '../../harness/api-client.ts';
import { errorOf, secretOf } from '../../harness/answers.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { PLANTED, updatesIn } from './updates.ts';
import { eventually } from '../../harness/eventually.ts';
import { annotation } from '../../harness/annotation.ts';

const RELOAD = 'This Secret was changed meanwhile; reload it and try again';

const here = openNamespaceFixture();
const { native } = here;
const { create, put, refused, seeded, updated } = updatesIn(here);

describe('the revision', () => {
  it('a mismatch answers 409 with a reload prompt, before any snapshot or write', async () => {
    const secret = await create();
    await updated(secret, { data: { a: '2' } });
    expect(await refused(409, secret, { data: { a: PLANTED } })).toBe(RELOAD);
  });

  it.each(['0', '99999999', '1', ' ', 'latest'])('"%s" is not the live revision', async (resourceVersion) => {
    const secret = await create();
    await refused(resourceVersion === ' ' ? 400 : 409, { ...secret, resourceVersion }, {});
  });

  it('the version counter is not the revision', async () => {
    const secret = await create();
    await refused(409, { ...secret, resourceVersion: String(secret.version) }, {});
  });

  it('an edit with kubectl makes the loaded revision stale', async () => {
    const secret = await create();
    await here.stack.kube.patchSecret(here.namespace, secret.name, {
      metadata: { labels: { edited: 'yes' } },
    });
    await refused(409, secret, { description: 'd' });
  });

  describe.runIf(ON_DEV_CLUSTER)('with a cluster that refuses on request', () => {
    it('a write race answers the same 409 as a stale revision; the log distinguishes them', async () => {
      const secret = await create();
      const match = { verb: 'update', resource: 'secrets', name: secret.name };
      here.stack.dev.faults.add({ match, times: 1, action: { type: 'status', status: 409 } });
      const race = await put(secret, { description: 'd' });
      const stale = await put({ ...secret, resourceVersion: '0' }, { description: 'd' });
      expect([errorOf(race, 409), errorOf(stale, 409)]).toEqual([RELOAD, RELOAD]);
      const codes = await eventually(() => {
        const found = [race, stale].map((answer) => logged(answer.headers.get('x-request-id'))?.['code']);
        expect(found).not.toContain(undefined);
        return found;
      });
      expect(codes).toEqual(['conflict', 'staleRevision']);
    });
  });

  function logged(requestId: string | null) {
    return here.stack.service
      .logLines()
      .find((line) => line['event'] === 'request' && line['requestId'] === requestId);
  }
});

describe('the fields', () => {
  it.each<[string, object, RegExp]>([
    ['no resourceVersion', { resourceVersion: undefined }, /^resourceVersion is required/],
    ['a resourceVersion that is a number', { resourceVersion: 7 }, /^resourceVersion/],
    ['a blank resourceVersion', { resourceVersion: ' \t' }, /^resourceVersion must not be blank/],
    [
      'a resourceVersion with a lone surrogate',
      { resourceVersion: '1\ud800' },
      /^resourceVersion must be valid Unicode/,
    ],
    ['binaryData', { binaryData: {} }, /^binaryData is read-only/],
    ['stringData', { stringData: { a: PLANTED } }, /^stringData can only be used on create/],
    ['name', { name: 'other' }, /^Unknown field name/],
    ['type', { type: 'Opaque' }, /^Unknown field type/],
    ['immutable', { immutable: false }, /^Unknown field immutable/],
    ['data of null', { data: null }, /^data /],
    ['an invalid key', { data: { 'a b': PLANTED } }, /^data: keys/],
    ['a binary control character', { data: { a: `${PLANTED}\u0000` } }, /^data: values/],
    ['a lone surrogate', { data: { a: `${PLANTED}\ud800` } }, /^data: values/],
    ['a description of null', { description: null }, /^description/],
    ['allowedGroups of null', { allowedGroups: null }, /^allowedGroups/],
    ['a comma in an entry of allowedGroups', { allowedGroups: [`${PLANTED},b`] }, /allowedGroups/],
    ['U+0000 in an entry of allowedGroups', { allowedGroups: [`${PLANTED}\0`] }, /allowedGroups/],
    ['a C1 control in an entry of allowedUsers', { allowedUsers: [`a\u0090${PLANTED}`] }, /allowedUsers/],
    ['a blank entry in allowedUsers', { allowedUsers: [' '] }, /allowedUsers/],
    ['257 entries in allowedUsers', { allowedUsers: Array.from({ length: 257 }, () => 'a') }, /allowedUsers/],
    ['257 bytes in an entry of allowedUsers', { allowedUsers: [`${'a'.repeat(256)} `] }, /allowedUsers/],
    ['recoverCounter that is no boolean', { recoverCounter: 'true' }, /^recoverCounter/],
  ])('%s answers 400 before any snapshot or write', async (_what, body, names) => {
    expect(await refused(400, await create(), body)).toMatch(names);
  });

  it('a description that is omitted stays, an empty one is stored', async () => {
    const first = await create({ description: 'first' });
    const second = await updated(first, { data: { a: '2' } });
    expect(second.description).toBe('first');
    const third = await updated(second, { description: 'thïrd\nline' });
    expect(third.description).toBe('thïrd\nline');
    expect((await updated(third, { description: '' })).description).toBe('');
  });

  it('an update without any field still archives, sets the last edit and counts', async () => {
    const secret = await create();
    expect(await updated(secret, {})).toMatchObject({ version: 2, data: { a: '1' } });
  });
});

describe.each([
  ['allowedGroups', annotation('allowed-groups'), 'allowedUsers'],
  ['allowedUsers', annotation('allowed-users'), 'allowedGroups'],
] as const)('%s', (field, annotation, other) => {
  const stored = async (name: string) => (await native(name)).metadata.annotations?.[annotation];

  it('omitted keeps the stored annotation without rewriting it', async () => {
    const odd = ' b ,, a,';
    const secret = await seeded({ x: 'y' }, { metadata: { annotations: { [annotation]: odd } } });
    const after = await updated(secret, { description: 'd', [other]: ['z'] });
    expect([await stored(secret.name), after[field]]).toEqual([odd, ['b', 'a']]);
  });

  it('omitted does not add the annotation where there was none', async () => {
    const secret = await seeded({ x: 'y' });
    await updated(secret, { description: 'd' });
    expect(await stored(secret.name)).toBeUndefined();
  });

  it('[] clears the annotation', async () => {
    const secret = await create({ [field]: ['a'], [other]: ['b'] });
    const after = await updated(secret, { [field]: [] });
    expect([await stored(secret.name), after[field], after[other]]).toEqual(['', [], ['b']]);
  });

  it('values replace the list, trimmed and in order', async () => {
    const secret = await create({ [field]: ['a'] });
    const after = await updated(secret, { [field]: [' c', 'b b ', 'b b'] });
    expect([await stored(secret.name), after[field]]).toEqual(['c,b b,b b', ['c', 'b b', 'b b']]);
  });
});

describe('access after an update', () => {
  it('clearing both lists selects the namespace fallback', async () => {
    const secret = await create({ allowedGroups: ['team-a'], allowedUsers: ['x@example.com'] });
    errorOf(await here.stack.developerB.get(here.secrets.path(secret.name)), 403);
    await updated(secret, { allowedGroups: [], allowedUsers: [] });
    secretOf(await here.stack.developerB.get(here.secrets.path(secret.name)));
  });

  it('new rules hold from the next request on, also for who wrote them', async () => {
    const secret = await create({ allowedGroups: ['team-a'] });
    const path = here.secrets.path(secret.name);
    secretOf(
      await here.stack.developerA.put(path, {
        resourceVersion: secret.resourceVersion,
        allowedGroups: ['team-b'],
      }),
    );
    errorOf(await here.stack.developerA.get(path), 403);
    secretOf(await here.stack.developerB.get(path));
  });
});

describe('what belongs to the cluster', () => {
  it('labels, foreign annotations, owners, finalizers, immutable, type, UID and creation time are preserved', async () => {
    const owner = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'owner',
      uid: 'b5b7a3a6-3b5f-4b39-9b71-6f7b8f0b5d11',
    };
    const metadata = {
      labels: { app: 'x', 'example.com/part': '' },
      annotations: { 'example.com/note': ' kept, as it is ', [annotation('unknown')]: 'kept' },
      finalizers: ['example.com/hold'],
      ...(ON_DEV_CLUSTER ? { ownerReferences: [owner] } : {}),
    };
    const secret = await seeded({ a: '1' }, { type: 'example.com/custom', immutable: true, metadata });
    const before = await native(secret.name);
    const after = await updated(secret, { description: 'd' });
    const now = await native(secret.name);
    const { annotations, resourceVersion, ...kept } = now.metadata;
    const { annotations: former, resourceVersion: _former, ...rest } = before.metadata;
    const ours = {
      [annotation('managed-by')]: 'service',
      [annotation('version')]: '2',
      [annotation('description')]: 'd',
    };
    const last = {
      [annotation('last-modified-by')]: 'admin@example.com',
      [annotation('last-modified-at')]: after.lastModifiedAt,
    };
    expect(annotations).toEqual({ ...former, ...ours, ...last });
    expect(withoutManagedFields(kept)).toEqual(withoutManagedFields(rest));
    expect([now.type, now.immutable, now.data]).toEqual(['example.com/custom', true, before.data]);
    expect(resourceVersion).toBe(after.resourceVersion);
    await here.stack.kube.patchSecret(here.namespace, secret.name, { metadata: { finalizers: null } });
  });

  it('annotations over 256 KiB answer 413 before any snapshot or write, foreign ones counted', async () => {
    const annotations = { 'example.com/large': 'x'.repeat(258_100) };
    const secret = await seeded({ a: '1' }, { metadata: { annotations } });
    expect(await refused(413, secret, { description: 'y'.repeat(4_096) })).toMatch(/annotations/);
    await updated(secret, { description: 'y'.repeat(3_000) });
  });

  it('a description over 4 KiB answers 400; a longer one from elsewhere is kept where it is omitted', async () => {
    const long = 'é'.repeat(100_000);
    const annotations = { [annotation('description')]: long };
    const secret = await seeded({ a: '1' }, { metadata: { annotations } });
    expect(await refused(400, secret, { description: 'é'.repeat(2_049) })).toMatch(
      /^description must be at most 4 KiB/,
    );
    const after = await updated(secret, { data: { a: '2' } });
    expect((await native(secret.name)).metadata.annotations?.[annotation('description')]).toBe(long);
    await updated(after, { description: 'é'.repeat(2_048) });
  });

  it('the rules of a terminating Secret can be updated, its values cannot; it keeps its deletion time and its finalizers', async () => {
    const secret = await seeded({ a: '1' }, { metadata: { finalizers: ['example.com/hold'] } });
    await here.stack.kube.deleteSecret(here.namespace, secret.name);
    const pending = await here.secrets.read(secret.name);
    expect(await refused(409, pending, { data: { a: '2' } })).toMatch(/is being deleted/);
    const after = await updated(pending, { allowedGroups: ['team-a'] });
    expect(after).toMatchObject({
      version: 2,
      deletionTimestamp: pending.deletionTimestamp,
      data: { a: '1' },
      allowedGroups: ['team-a'],
    });
    expect((await native(secret.name)).metadata.finalizers).toEqual(['example.com/hold']);
    await here.stack.kube.patchSecret(here.namespace, secret.name, { metadata: { finalizers: null } });
    errorOf(await here.stack.admin.get(here.secrets.path(secret.name)), 404);
  });

  function withoutManagedFields(metadata: object): object {
    const { managedFields: _managedFields, ...rest } = metadata as { managedFields?: unknown };
    return rest;
  }
});

describe('the managed annotations', () => {
  it('each update counts one up and names its editor in lowercase, with the time', async () => {
    const mixed = person('Mixed.Case@Example.COM', ['team-a']);
    const client = await here.stack.client(mixed);
    const secret = await create();
    await eventually(() => {
      expect(new Date().toISOString()).not.toBe(secret.lastModifiedAt);
    });
    const second = secretOf(
      await client.put(here.secrets.path(secret.name), { resourceVersion: secret.resourceVersion }),
    );
    expect(second).toMatchObject({ version: 2, lastModifiedBy: 'mixed.case@example.com' });
    expect(Date.parse(second.lastModifiedAt ?? '')).toBeGreaterThan(Date.parse(secret.lastModifiedAt ?? ''));
    const third = secretOf(
      await here.stack.developerA.put(here.secrets.path(secret.name), {
        resourceVersion: second.resourceVersion,
      }),
    );
    expect(third).toMatchObject({ version: 3, lastModifiedBy: DEVELOPER_A.email });
    expect((await native(secret.name)).metadata.annotations?.[annotation('version')]).toBe('3');
  });

  it.each([
    ['absent', {}],
    ['zero', { [annotation('version')]: '0' }],
    ['malformed', { [annotation('version')]: '1e3' }],
  ])(
    'a counter that is %s counts as 1: the first update archives v1 and writes 2, the next v2 and 3',
    async (_what, annotations) => {
      const adopted = await seeded({ a: '1' }, { metadata: { annotations } });
      expect([adopted.version, adopted.managedByService]).toEqual([1, false]);
      const second = await updated(adopted, { data: { a: '2' } });
      expect([second.version, second.managedByService]).toEqual([2, true]);
      expect(await here.secrets.versions(adopted.name)).toEqual([1]);
      const third = await updated(second, { data: { a: '3' } });
      expect(third.version).toBe(3);
      expect(await here.secrets.versions(adopted.name)).toEqual([2, 1]);
    },
  );
});
