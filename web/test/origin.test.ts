import { expect, test } from 'vitest';
import { isolated } from '../src/values/format.ts';
import { originOf } from '../src/values/origin.ts';

const secret = { type: 'Opaque', managedByService: false };

test.each([
  ['HelmRelease', 'shop', 'Change the values of Helm release shop instead.'],
  ['Kustomization', 'apps', 'Change the source in Git of Kustomization apps instead.'],
  ['Application', 'shop', 'Change the source in Git of Application shop instead.'],
  ['Certificate', 'web', 'Change Certificate web instead.'],
  ['ExternalSecret', 'db', 'Change the value in the store of ExternalSecret db instead.'],
  ['SealedSecret', 'db', 'Seal the new values, and apply SealedSecret db instead.'],
  ['VaultStaticSecret', 'db', 'Change the value in Vault of VaultStaticSecret db instead.'],
  ['SomeOwner', '\u202ebd', 'Change SomeOwner \u2068\u202ebd\u2069 instead.'],
  ['SomeOwner', 'x', 'Its controller may overwrite an edit here. Change SomeOwner x instead.'],
])('of a Secret that a %s writes, the object to change instead is named', (kind, name, advice) => {
  for (const managedByService of [true, false]) {
    const origin = originOf({ ...secret, managedByService, controlledBy: { kind, name } });
    const writer = kind === 'HelmRelease' ? 'Helm release' : kind;
    expect(origin).toMatchObject({ title: `Written by ${writer} ${isolated(name)}`, isOverwritten: true });
    expect(origin?.advice).toContain(advice);
  }
});

test("Helm's record of a release is distinguished from what a release installs", () => {
  const record = { ...secret, type: 'helm.sh/release.v1', controlledBy: { kind: 'HelmRelease' } };
  expect(originOf(record)?.title).toBe("Helm's own record of a release");
});

test('where no controller is recognized, only an edit has something to say', () => {
  expect(originOf(secret)).toMatchObject({ title: 'Created outside this service', isOverwritten: false });
  const token = { ...secret, type: 'bootstrap.kubernetes.io/token' };
  expect(originOf(token)).toMatchObject({ title: 'A bootstrap token', isOverwritten: false });
});

test('of a Secret that this service alone writes there is nothing to say', () => {
  expect(originOf({ ...secret, managedByService: true })).toBeUndefined();
});
