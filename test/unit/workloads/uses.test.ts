import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USES, usesOf, type Use } from '../../../src/workloads/uses.ts';

const env = (name: string) => ({ env: [{ name: 'V', valueFrom: { secretKeyRef: { name, key: 'k' } } }] });
const envFrom = (name: string) => ({ envFrom: [{ secretRef: { name } }] });
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });

/** Every place of a pod spec that names a Secret. */
const PLACES: readonly (readonly [place: string, use: Use, spec: (name: string) => object])[] = [
  ['a variable of a container', 'env', (name) => ({ containers: [env(name)] })],
  ['a variable of an init container', 'env', (name) => ({ initContainers: [env(name)] })],
  [
    'the second variable of the second container',
    'env',
    (name) => ({
      containers: [{}, { env: [{ name: 'A', value: 'x' }, ...env(name).env] }],
    }),
  ],
  [
    'an optional variable',
    'env',
    (name) => ({
      containers: [{ env: [{ name: 'V', valueFrom: { secretKeyRef: { name, key: 'k', optional: true } } }] }],
    }),
  ],
  ['all variables of a container', 'envFrom', (name) => ({ containers: [envFrom(name)] })],
  ['all variables of an init container', 'envFrom', (name) => ({ initContainers: [envFrom(name)] })],
  ['a volume', 'volume', (secretName) => volume({ secret: { secretName } })],
  [
    'a projected volume',
    'volume',
    (name) => volume({ projected: { sources: [{ configMap: { name: 'other' } }, { secret: { name } }] } }),
  ],
  ['a csi volume', 'volume', (name) => volume({ csi: { driver: 'd', nodePublishSecretRef: { name } } })],
  ['a flexVolume', 'volume', (name) => volume({ flexVolume: { driver: 'd', secretRef: { name } } })],
  ['an azureFile volume', 'volume', (secretName) => volume({ azureFile: { secretName, shareName: 's' } })],
  ...['cephfs', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map(
    (type) =>
      [`a ${type} volume`, 'volume', (name: string) => volume({ [type]: { secretRef: { name } } })] as const,
  ),
  ['a pull secret', 'imagePullSecret', (name) => ({ imagePullSecrets: [{ name: 'other' }, { name }] })],
];

describe('the uses of a pod spec', () => {
  it.each(PLACES)('%s is a use of kind %s', (_place, use, spec) => {
    expect(usesOf(spec('db'), 'db')).toEqual([use]);
  });

  it.each(PLACES)('%s with another name is none', (_place, _use, spec) => {
    for (const other of ['db2', 'd', 'DB', '', 'db.']) expect(usesOf(spec(other), 'db')).toEqual([]);
  });

  it('stand in the order of the contract, each once, however often the Secret is named', () => {
    const container = { ...env('db'), ...envFrom('db') };
    const spec = {
      imagePullSecrets: [{ name: 'db' }, { name: 'db' }],
      volumes: [{ secret: { secretName: 'db' } }, { secret: { secretName: 'db' } }],
      containers: [container, container],
      initContainers: [container],
    };
    expect(usesOf(spec, 'db')).toEqual(['env', 'envFrom', 'volume', 'imagePullSecret']);
  });

  it('are not found where only something else has the name', () => {
    const spec = {
      serviceAccountName: 'db',
      volumes: [
        { name: 'db', configMap: { name: 'db' } },
        { name: 'db', persistentVolumeClaim: { claimName: 'db' } },
        { projected: { sources: [{ configMap: { name: 'db' } }, { serviceAccountToken: { path: 'db' } }] } },
      ],
      containers: [
        {
          name: 'db',
          image: 'db',
          env: [
            { name: 'db', value: 'db' },
            { name: 'C', valueFrom: { configMapKeyRef: { name: 'db', key: 'db' } } },
          ],
          envFrom: [{ configMapRef: { name: 'db' }, prefix: 'db' }],
          volumeMounts: [{ name: 'db', mountPath: 'db' }],
        },
      ],
    };
    expect(usesOf(spec, 'db')).toEqual([]);
  });

  it('are those of the places, whatever places are put together', () => {
    const place = fc.record({
      index: fc.nat(PLACES.length - 1),
      name: fc.constantFrom('db', 'db', 'other', '__proto__'),
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 12 }), (chosen) => {
        const lists = new Map<string, unknown[]>();
        for (const { index, name } of chosen) {
          for (const [list, items] of Object.entries(PLACES[index]?.[2](name) ?? {})) {
            lists.set(list, [...(lists.get(list) ?? []), ...(items as unknown[])]);
          }
        }
        const used = new Set(
          chosen.filter(({ name }) => name === 'db').map(({ index }) => PLACES[index]?.[1]),
        );
        expect(usesOf(Object.fromEntries(lists), 'db')).toEqual(USES.filter((use) => used.has(use)));
      }),
    );
  });

  it('of anything that is no pod spec are none, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, inner) => {
        expect(usesOf(value, 'db')).toEqual([]);
        const spec = { containers: inner, initContainers: [inner], volumes: [inner, { projected: inner }] };
        expect(usesOf({ ...spec, imagePullSecrets: inner }, '\u0000')).toEqual([]);
      }),
    );
    for (const value of [undefined, null, [], 'db', { containers: { env: 'db' } }, { volumes: [null] }]) {
      expect(usesOf(value, 'db')).toEqual([]);
    }
  });

  it('are read from own properties only', () => {
    const inherited = Object.create({ imagePullSecrets: [{ name: 'db' }] }) as object;
    expect(usesOf(inherited, 'db')).toEqual([]);
  });
});
