import { describe, expect, it } from 'vitest';
import { secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { stack, namespace, sorted, read } from './resources-fixture.ts';
import { annotation } from '../../harness/annotation.ts';

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
      await stack.admin.post(secretsPath(namespace), {
        name: 'fields',
        data: { b: '2', a: '1' },
        description: 'what it is for',
        allowedGroups: ['team-a'],
        allowedUsers: ['Someone@Example.com'],
      }),
      201,
    );
    expect(sorted(Object.keys(created))).toEqual(
      sorted([...SUMMARY_FIELDS, 'lastModifiedBy', 'lastModifiedAt']),
    );
    const native = await stack.kube.getSecret(namespace, 'fields');
    expect(created).toEqual({
      namespace,
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
    const detail = await read('fields');
    expect(sorted(Object.keys(detail))).toEqual(
      sorted([...SUMMARY_FIELDS, 'lastModifiedBy', 'lastModifiedAt', 'data', 'binaryData']),
    );
    expect(detail.data).toEqual({ a: '1', b: '2' });
    expect(detail.binaryData).toEqual({});
  });

  it('a Secret made without the service has the fields, with empty texts and lists, version 1 and no last edit', async () => {
    await stack.kube.createSecret(namespace, nativeSecret('bare', {}, { immutable: true }));
    const bare = await read('bare');
    expect(sorted(Object.keys(bare))).toEqual(sorted([...SUMMARY_FIELDS, 'data', 'binaryData']));
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
    await stack.kube.createSecret(
      namespace,
      nativeSecret('held', { a: 'b' }, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    expect(await read('held')).not.toHaveProperty('deletionTimestamp');
    await stack.kube.deleteSecret(namespace, 'held');
    expect((await read('held')).deletionTimestamp).toMatch(RFC_3339_UTC);
    await stack.kube.patchSecret(namespace, 'held', { metadata: { finalizers: null } });
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
    await stack.kube.createSecret(namespace, nativeSecret(name, {}, { metadata: { annotations } }));
    expect((await read(name)).version).toBe(expected);
  });

  it('access rules are read with split on comma, trim, drop blanks', async () => {
    const annotations = {
      [annotation('allowed-groups')]: ' team-a , ,,Team-B,two words ,team-a',
      [annotation('allowed-users')]: '\t',
    };
    await stack.kube.createSecret(namespace, nativeSecret('ruled', {}, { metadata: { annotations } }));
    expect(await read('ruled')).toMatchObject({
      allowedGroups: ['team-a', 'Team-B', 'two words', 'team-a'],
      allowedUsers: [],
    });
  });
});
