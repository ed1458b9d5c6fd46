import { describe, expect, it } from 'vitest';
import type { SecretDraft, SecretRef, StoredSecret } from '../../../src/kube/secret.ts';
import type { ClusterFixture } from './cluster-fixture.ts';
import type { SecretStore } from '../../../src/secrets/ports.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';

const deadline = unhurriedCall();
const MISSING_UID = '00000000-0000-0000-0000-000000000000';

interface Here {
  readonly fixture: ClusterFixture;
  readonly store: SecretStore;
  readonly namespace: string;
  readonly draft: (more?: Partial<SecretDraft>) => SecretDraft;
  readonly create: (more?: Partial<SecretDraft>) => Promise<StoredSecret>;
  readonly existing: (ref: SecretRef) => Promise<StoredSecret>;
}

/** Registers the promises of `patchMetadata` and `delete` as tests of the store that `here` has when they run. */
export function secretChangesContract(here: Here): void {
  describe('patchMetadata', () => {
    const annotations = new Map([['example.com/note', 'yes']]);

    it('changes annotations and the revision, and nothing else', async () => {
      const secret = await here.store.create(
        {
          ...here.draft({ name: 'm' }),
          annotations: new Map([['a', '1']]),
          labels: new Map([['b', '2']]),
          immutable: true,
        },
        deadline,
      );
      const change = {
        annotations: new Map([...annotations, ['a', undefined]]),
        labels: new Map([['c', '3']]),
      };
      const changed = await here.store.patchMetadata(secret, secret, change, deadline);
      expect(changed.resourceVersion).not.toBe(secret.resourceVersion);
      const after = await here.existing(secret);
      expect(after).toMatchObject({ uid: secret.uid, immutable: true, data: secret.data });
      expect(after.resourceVersion).toBe(changed.resourceVersion);
      expect(Object.fromEntries(after.annotations)).toEqual({ 'example.com/note': 'yes' });
      expect(Object.fromEntries(after.labels)).toEqual({ b: '2', c: '3' });
      expect(changed).not.toHaveProperty('data');
    });

    it('makes a deletion of the former revision fail', async () => {
      const secret = await here.store.create(here.draft({ name: 'm' }), deadline);
      await here.store.patchMetadata(secret, secret, { annotations }, deadline);
      expect(await codeOf(here.store.delete(secret, secret, deadline))).toBe('conflict');
      expect(await here.existing(secret)).toBeDefined();
    });

    it('writes nothing when nothing changes', async () => {
      const secret = await here.store.create(here.draft({ name: 'm' }), deadline);
      const once = await here.store.patchMetadata(secret, secret, { annotations }, deadline);
      const twice = await here.store.patchMetadata(secret, once, { annotations }, deadline);
      expect(twice.resourceVersion).toBe(once.resourceVersion);
    });

    it('refuses another revision, and a recreated object', async () => {
      const secret = await here.store.create(here.draft({ name: 'm' }), deadline);
      const changed = await here.store.patchMetadata(secret, secret, { annotations }, deadline);
      expect(await codeOf(here.store.patchMetadata(secret, secret, { annotations }, deadline))).toBe(
        'conflict',
      );
      await here.store.delete(secret, changed, deadline);
      await here.store.create(here.draft({ name: 'm' }), deadline);
      expect(await codeOf(here.store.patchMetadata(secret, changed, { annotations }, deadline))).toBe(
        'conflict',
      );
    });

    it('answers notFound when there is nothing to annotate', async () => {
      const preconditions = { uid: MISSING_UID, resourceVersion: '1' };
      const absent = here.store.patchMetadata(
        { namespace: here.namespace, name: 'absent' },
        preconditions,
        { annotations },
        deadline,
      );
      expect(await codeOf(absent)).toBe('notFound');
    });

    it('returns that a Secret is being deleted', async () => {
      await here.fixture.seed({ namespace: here.namespace, name: 'f', finalizers: ['service.io/hold'] });
      const secret = await here.existing({ namespace: here.namespace, name: 'f' });
      await here.store.delete(secret, secret, deadline);
      const pending = await here.existing(secret);
      expect(
        (await here.store.patchMetadata(pending, pending, { annotations }, deadline)).deletionTimestamp,
      ).toBeDefined();
      await here.fixture.release(secret);
    });
  });

  describe('delete', () => {
    it('deletes under the right uid and revision', async () => {
      const secret = await here.create();
      await here.store.delete(secret, secret, deadline);
      expect(await here.store.read(secret, deadline)).toBeUndefined();
    });

    it('answers conflict under another revision or uid, and deletes nothing', async () => {
      const stale = await here.create();
      const { uid, resourceVersion } = await here.store.replace(
        stale,
        { annotations: new Map([['n', '1']]) },
        deadline,
      );
      for (const wrong of [
        { uid, resourceVersion: stale.resourceVersion },
        { uid: MISSING_UID, resourceVersion },
      ]) {
        expect(await codeOf(here.store.delete(stale, wrong, deadline))).toBe('conflict');
      }
      expect((await here.existing(stale)).resourceVersion).toBe(resourceVersion);
    });

    it('answers notFound when there is nothing to delete', async () => {
      const preconditions = { uid: MISSING_UID, resourceVersion: '1' };
      expect(
        await codeOf(
          here.store.delete({ namespace: here.namespace, name: 'absent' }, preconditions, deadline),
        ),
      ).toBe('notFound');
    });

    it('only sets the deletion timestamp of a Secret that has finalizers, until they are released', async () => {
      await here.fixture.seed({ namespace: here.namespace, name: 'f', finalizers: ['service.io/hold'] });
      const secret = await here.existing({ namespace: here.namespace, name: 'f' });
      await here.store.delete(secret, secret, deadline);
      const pending = await here.existing(secret);
      expect(pending.uid).toBe(secret.uid);
      expect(Date.parse(pending.deletionTimestamp ?? '')).not.toBeNaN();
      expect(pending.resourceVersion).not.toBe(secret.resourceVersion);
      await here.store.delete(pending, pending, deadline);
      expect((await here.existing(secret)).resourceVersion).toBe(pending.resourceVersion);
      await here.fixture.release(secret);
      expect(await here.store.read(secret, deadline)).toBeUndefined();
    });

    it('finds finalizers still there after a replacement', async () => {
      await here.fixture.seed({ namespace: here.namespace, name: 'f', finalizers: ['service.io/hold'] });
      const secret = await here.existing({ namespace: here.namespace, name: 'f' });
      const replaced = await here.store.replace(secret, { annotations: new Map([['n', '1']]) }, deadline);
      await here.store.delete(replaced, replaced, deadline);
      expect((await here.existing(secret)).deletionTimestamp).toBeDefined();
      await here.fixture.release(secret);
    });
  });
}
