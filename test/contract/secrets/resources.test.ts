import { describe, expect, it } from 'vitest';
import { secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

const here = openNamespaceFixture();

const SUMMARY_FIELDS = [
  'namespace',
  'name',
  'type',
  'keys',
  'keyCount',
  'description',
  'version',
  'resourceVersion',
  'creationTimestamp',
  'allowedGroups',
  'allowedUsers',
  'managedByService',
  'immutable',
  'binaryKeys',
];

const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('SecretSummary and SecretDetail', () => {
  it('a summary has exactly the fields of the contract, and the two of the last edit', async () => {
    const created = secretOf(
      await here.stack.admin.post(secretsPath(here.namespace), {
        name: 'fields',
        data: { b: '2', a: '1' },
        description: 'what it is for',
        allowedGroups: ['team-a'],
        allowedUsers: ['Someone@Example.com'],
      }),
      201,
    );
    expect(Object.keys(created).toSorted()).toEqual(
      [...SUMMARY_FIELDS, 'lastModifiedBy', 'lastModifiedAt'].toSorted(),
    );
    const native = await here.stack.kube.getSecret(here.namespace, 'fields');
    expect(created).toEqual({
      namespace: here.namespace,
      name: 'fields',
      type: 'Opaque',
      keys: ['a', 'b'],
      keyCount: 2,
      description: 'what it is for',
      version: 1,
      resourceVersion: native?.metadata.resourceVersion,
      creationTimestamp: expect.stringMatching(RFC_3339_UTC) as string,
      allowedGroups: ['team-a'],
      allowedUsers: ['Someone@Example.com'],
      managedByService: true,
      immutable: false,
      binaryKeys: [],
      lastModifiedBy: 'admin@example.com',
      lastModifiedAt: expect.stringMatching(RFC_3339_UTC) as string,
    });
  });

  it('a detail has the fields of the summary and the two maps, and no other', async () => {
    const detail = await here.secrets.read('fields');
    expect(Object.keys(detail).toSorted()).toEqual(
      [...SUMMARY_FIELDS, 'lastModifiedBy', 'lastModifiedAt', 'data', 'binaryData'].toSorted(),
    );
    expect(detail.data).toEqual({ a: '1', b: '2' });
    expect(detail.binaryData).toEqual({});
  });

  it('a Secret made without the service has the fields, with empty texts and lists, version 1 and no last edit', async () => {
    await here.stack.kube.createSecret(here.namespace, nativeSecret('bare', {}, { immutable: true }));
    const bare = await here.secrets.read('bare');
    expect(Object.keys(bare).toSorted()).toEqual([...SUMMARY_FIELDS, 'data', 'binaryData'].toSorted());
    expect(bare).toMatchObject({
      keys: [],
      keyCount: 0,
      description: '',
      version: 1,
      allowedGroups: [],
      allowedUsers: [],
      managedByService: false,
      immutable: true,
      binaryKeys: [],
      data: {},
      binaryData: {},
    });
  });

  it('deletionTimestamp is present only while deletion is pending', async () => {
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('held', { a: 'b' }, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    expect(await here.secrets.read('held')).not.toHaveProperty('deletionTimestamp');
    await here.stack.kube.deleteSecret(here.namespace, 'held');
    expect((await here.secrets.read('held')).deletionTimestamp).toMatch(RFC_3339_UTC);
    await here.stack.kube.patchSecret(here.namespace, 'held', { metadata: { finalizers: null } });
  });

  it.each([
    ['absent', undefined, 1],
    ['zero', '0', 1],
    ['canonical', '7', 7],
    ['with a leading zero', '07', 1],
    ['negative', '-3', 1],
    ['fractional', '2.5', 1],
    ['beyond the safe integers', '9007199254740993', 1],
    ['not a number', 'seven', 1],
  ])('a version counter that is %s reads as it should', async (what, counter, expected) => {
    const name = `counter-${what.replaceAll(' ', '-')}`;
    const annotations = counter === undefined ? {} : { [annotation('version')]: counter };
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, {}, { metadata: { annotations } }));
    expect((await here.secrets.read(name)).version).toBe(expected);
  });

  it('access rules are read with split on comma, trim, drop blanks', async () => {
    const annotations = {
      [annotation('allowed-groups')]: ' team-a , ,,Team-B,two words ,team-a',
      [annotation('allowed-users')]: '\t',
    };
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret('ruled', {}, { metadata: { annotations } }),
    );
    expect(await here.secrets.read('ruled')).toMatchObject({
      allowedGroups: ['team-a', 'Team-B', 'two words', 'team-a'],
      allowedUsers: [],
    });
  });
});
