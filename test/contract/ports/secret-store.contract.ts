import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SecretDraft, SecretRef, StoredSecret } from '../../../src/kube/secret.ts';
import type { SecretStore } from '../../../src/secrets/ports.ts';
import { spentCall, unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import type { ClusterFixture } from './cluster-fixture.ts';
import { secretChangesContract } from './secret-changes.contract.ts';
import { bytesOf, pageOf, secretListsContract } from './secret-lists.contract.ts';

const deadline = unhurriedCall();

/** Registers the promises of {@link SecretStore} as tests of the store that `open` gives. */
export function secretStoreContract(open: () => Promise<ClusterFixture>): void {
  let fixture: ClusterFixture;
  let store: SecretStore;
  let namespace: string;

  beforeAll(async () => {
    fixture = await open();
    store = fixture.secrets;
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    namespace = await fixture.addNamespace();
  });

  const draft = (more: Partial<SecretDraft> = {}): SecretDraft => ({
    namespace,
    name: 'a',
    type: 'Opaque',
    labels: new Map(),
    annotations: new Map(),
    data: new Map([['x', Buffer.from('one')]]),
    ...more,
  });
  const create = (more: Partial<SecretDraft> = {}): Promise<StoredSecret> =>
    store.create(draft(more), deadline);
  const existing = async (ref: SecretRef): Promise<StoredSecret> => {
    const secret = await store.read(ref, deadline);
    if (secret === undefined) throw new Error('the Secret should be there');
    return secret;
  };

  describe('create and read', () => {
    it('reads undefined for a Secret that is absent', async () => {
      expect(await store.read({ namespace, name: 'absent' }, deadline)).toBeUndefined();
    });

    it('reads undefined in a namespace that is absent', async () => {
      expect(await store.read({ namespace: `no-${namespace}`, name: 'absent' }, deadline)).toBeUndefined();
    });

    it('reads back what was created', async () => {
      const created = await create({
        type: 'custom type',
        immutable: true,
        labels: new Map([['l', '1']]),
        annotations: new Map([['example.io/n', 'ä, b']]),
      });
      const { native: _native, ...read } = await existing(created);
      expect(read).toMatchObject({ namespace, name: 'a', type: 'custom type', immutable: true });
      expect([...read.labels]).toEqual([['l', '1']]);
      expect([...read.annotations]).toEqual([['example.io/n', 'ä, b']]);
      expect(read.uid).toBe(created.uid);
      expect(read.resourceVersion).toBe(created.resourceVersion);
      expect(Date.parse(read.creationTimestamp)).not.toBeNaN();
      expect(read.deletionTimestamp).toBeUndefined();
    });

    it('keeps every value byte for byte, under keys that every object inherits, too', async () => {
      const data = new Map<string, Uint8Array>([
        ['__proto__', Buffer.from('p')],
        ['constructor', randomBytes(257)],
        ['toString', Buffer.alloc(0)],
        ['hasOwnProperty', Uint8Array.of(0, 255, 10)],
        ['A.b-c_9', Buffer.from('\ufeff text\r\n')],
      ]);
      await create({ data });
      expect(bytesOf(await existing({ namespace, name: 'a' }))).toEqual(bytesOf({ data }));
    });

    it('takes a Secret without values', async () => {
      const created = await create({ data: new Map() });
      expect(created.data.size).toBe(0);
    });

    it('reads an empty type as Opaque', async () => {
      expect((await create({ type: '' })).type).toBe('Opaque');
    });

    it('answers exists when the name is taken, and leaves the other as it is', async () => {
      const first = await create();
      expect(await codeOf(create({ data: new Map() }))).toBe('exists');
      expect((await existing(first)).resourceVersion).toBe(first.resourceVersion);
    });

    it('answers notFound when the namespace is absent', async () => {
      expect(await codeOf(create({ namespace: `no-${namespace}` }))).toBe('notFound');
    });

    it.each([
      ['an invalid key', { data: new Map([['a b', Buffer.from('v')]]) }],
      ['an invalid name', { name: 'Not_A_Name' }],
      ['values over 1 MiB', { data: new Map([['x', Buffer.alloc(1_048_577)]]) }],
      ['annotations over 256 KiB', { annotations: new Map([['a', 'v'.repeat(262_144)]]) }],
    ])('answers rejected for %s', async (_what, more) => {
      expect(await codeOf(create(more))).toBe('rejected');
      expect(await store.read({ namespace, name: 'a' }, deadline)).toBeUndefined();
    });

    it('creates nothing once the call is spent', async () => {
      expect(await codeOf(store.create(draft(), spentCall()))).toBe('unavailable');
      expect(await store.read({ namespace, name: 'a' }, deadline)).toBeUndefined();
    });
  });

  describe('replace', () => {
    it('replaces all annotations and all values under a new revision', async () => {
      const current = await create({ annotations: new Map([['old', '1']]) });
      const change = { annotations: new Map([['new', '2']]), data: new Map([['y', Buffer.from('two')]]) };
      const replaced = await store.replace(current, change, deadline);
      expect(replaced.uid).toBe(current.uid);
      expect(replaced.resourceVersion).not.toBe(current.resourceVersion);
      const read = await existing(current);
      expect(read.resourceVersion).toBe(replaced.resourceVersion);
      expect([...read.annotations]).toEqual([['new', '2']]);
      expect(bytesOf(read)).toEqual(bytesOf(change));
    });

    it('keeps the stored values when none are given', async () => {
      const data = new Map([
        ['__proto__', randomBytes(16)],
        ['x', randomBytes(16)],
      ]);
      const current = await create({ data });
      const replaced = await store.replace(current, { annotations: new Map([['n', '1']]) }, deadline);
      expect(bytesOf(replaced)).toEqual(bytesOf({ data }));
      expect(bytesOf(await existing(current))).toEqual(bytesOf({ data }));
    });

    it('keeps type, labels, immutability and creation time', async () => {
      const current = await create({ type: 'custom', immutable: true, labels: new Map([['l', '1']]) });
      const replaced = await store.replace(current, { annotations: new Map([['n', '1']]) }, deadline);
      expect(replaced).toMatchObject({
        type: 'custom',
        immutable: true,
        creationTimestamp: current.creationTimestamp,
      });
      expect([...replaced.labels]).toEqual([['l', '1']]);
    });

    it('clears annotations and values', async () => {
      const current = await create({ annotations: new Map([['old', '1']]) });
      await store.replace(current, { annotations: new Map(), data: new Map() }, deadline);
      const read = await existing(current);
      expect([read.annotations.size, read.data.size]).toEqual([0, 0]);
    });

    it('keeps the revision when nothing changes', async () => {
      const current = await create({ annotations: new Map([['n', '1']]) });
      const replaced = await store.replace(current, current, deadline);
      expect(replaced.resourceVersion).toBe(current.resourceVersion);
    });

    it('answers conflict when the object has changed since, and changes nothing', async () => {
      const stale = await create();
      const newer = await store.replace(stale, { annotations: new Map([['n', '1']]) }, deadline);
      expect(await codeOf(store.replace(stale, { annotations: new Map([['n', '2']]) }, deadline))).toBe(
        'conflict',
      );
      expect((await existing(stale)).resourceVersion).toBe(newer.resourceVersion);
    });

    it('answers conflict when the object was recreated, and leaves the new one', async () => {
      const former = await create();
      await store.delete(former, former, deadline);
      const recreated = await create();
      const change = { annotations: new Map([['n', '1']]) };
      expect(await codeOf(store.replace(former, change, deadline))).toBe('conflict');
      const disguised = { ...former, resourceVersion: recreated.resourceVersion };
      expect(await codeOf(store.replace(disguised, change, deadline))).toBe('conflict');
      expect((await existing(former)).resourceVersion).toBe(recreated.resourceVersion);
    });

    it('answers conflict when the object is gone: its uid is no longer there', async () => {
      const gone = await create();
      await store.delete(gone, gone, deadline);
      const replacing = store.replace(gone, { annotations: new Map([['n', '1']]) }, deadline);
      expect(await codeOf(replacing)).toBe('conflict');
      expect(await store.read(gone, deadline)).toBeUndefined();
    });

    it('answers rejected when an immutable Secret would get other values, and takes the same ones', async () => {
      const current = await create({ immutable: true });
      const data = new Map([['x', Buffer.from('other')]]);
      expect(await codeOf(store.replace(current, { annotations: new Map(), data }, deadline))).toBe(
        'rejected',
      );
      const change = { annotations: new Map([['n', '1']]), data: current.data };
      expect((await store.replace(current, change, deadline)).immutable).toBe(true);
    });

    it('takes a Secret as a list gave it', async () => {
      await create();
      const [listed] = (await store.listPage(namespace, pageOf(10), deadline)).items;
      if (listed === undefined) throw new Error('the list should hold the Secret');
      const replaced = await store.replace(listed, { annotations: new Map([['n', '1']]) }, deadline);
      expect(bytesOf(replaced)).toEqual(bytesOf(listed));
    });
  });

  secretChangesContract({
    get fixture() {
      return fixture;
    },
    get store() {
      return store;
    },
    get namespace() {
      return namespace;
    },
    draft,
    create,
    existing,
  });

  secretListsContract({
    get fixture() {
      return fixture;
    },
    get namespace() {
      return namespace;
    },
  });
}
