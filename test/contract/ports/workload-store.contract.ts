import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDeadline } from '../../../src/timing/deadline.ts';
import {
  WORKLOAD_KINDS,
  type WorkloadKind,
  type WorkloadRef,
  type WorkloadStore,
} from '../../../src/workloads/ports.ts';
import { codeOf } from '../../fakes/fake-journal.ts';

/** The store under test, and a hand in the cluster behind it that is not its own. */
export interface WorkloadFixture {
  readonly store: WorkloadStore;
  /** Makes a namespace that nothing else uses. */
  addNamespace(): Promise<string>;
  /** Creates a workload whose pods are pulled with the Secret `pulled`. */
  create(ref: WorkloadRef, paused?: boolean): Promise<void>;
  /** Changes something about it that is not its pod template. */
  touch(ref: WorkloadRef): Promise<void>;
  remove(ref: WorkloadRef): Promise<void>;
  restartedAt(ref: WorkloadRef): Promise<Date | undefined>;
  close(): Promise<void>;
}

const AT = new Date('2026-03-04T05:06:07.089Z');
const PULLED = { imagePullSecrets: [{ name: 'pulled' }] };
const RESTARTABLE = WORKLOAD_KINDS.filter((kind) => kind !== 'CronJob');

/** What every WorkloadStore promises. */
export function workloadStoreContract(open: () => Promise<WorkloadFixture>): void {
  let fixture: WorkloadFixture;
  let namespace: string;
  beforeAll(async () => {
    fixture = await open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    namespace = await fixture.addNamespace();
  });

  const call = () => startDeadline(20_000);
  const refTo = (kind: WorkloadKind, name = 'one'): WorkloadRef => ({ kind, namespace, name });
  const pageOf = (kind: WorkloadKind, limit = 500, continueToken?: string) =>
    fixture.store.listPage(
      kind,
      namespace,
      { limit, maxBytes: 1_048_576, ...(continueToken === undefined ? {} : { continueToken }) },
      call(),
    );
  async function created(kind: WorkloadKind, paused?: boolean) {
    await fixture.create(refTo(kind), paused);
    const workload = await fixture.store.read(refTo(kind), call());
    if (workload === undefined) throw new Error('it should be there');
    return workload;
  }

  describe.each(WORKLOAD_KINDS)('%s', (kind) => {
    it('is listed and read alike, with the spec of its pods', async () => {
      const workload = await created(kind);
      expect(workload).toMatchObject({ ...refTo(kind), paused: false, podSpec: PULLED });
      const { items, continueToken, bytes } = await pageOf(kind);
      expect([...items]).toEqual([workload]);
      expect([continueToken, bytes > 0]).toEqual([undefined, true]);
    });

    it('is listed page by page, at one revision', async () => {
      for (const name of ['a', 'b', 'c']) await fixture.create(refTo(kind, name));
      const first = await pageOf(kind, 2);
      const second = await pageOf(kind, 2, first.continueToken);
      expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(second.resourceVersion).toBe(first.resourceVersion);
      expect(second.continueToken).toBeUndefined();
    });

    it('is read as undefined where there is none of this name', async () => {
      await fixture.create(refTo(kind, 'one-more'));
      expect(await fixture.store.read(refTo(kind), call())).toBeUndefined();
    });
  });

  it('a paused Deployment says so', async () => {
    expect((await created('Deployment', true)).paused).toBe(true);
  });

  describe.each(RESTARTABLE)('the restart of a %s', (kind) => {
    it('annotates its pod template', async () => {
      await fixture.store.restart(await created(kind), AT, call());
      expect(await fixture.restartedAt(refTo(kind))).toEqual(AT);
      expect(await fixture.store.read(refTo(kind), call())).toMatchObject({ podSpec: PULLED });
    });

    it('answers conflict for a revision that is no longer the current one', async () => {
      const workload = await created(kind);
      await fixture.touch(refTo(kind));
      expect(await codeOf(fixture.store.restart(workload, AT, call()))).toBe('conflict');
      expect(await fixture.restartedAt(refTo(kind))).toBeUndefined();
    });

    it('answers conflict for one that was recreated under its name', async () => {
      const workload = await created(kind);
      await fixture.remove(refTo(kind));
      await fixture.create(refTo(kind));
      expect(await codeOf(fixture.store.restart(workload, AT, call()))).toBe('conflict');
      expect(await fixture.restartedAt(refTo(kind))).toBeUndefined();
    });

    it('answers notFound for one that is gone', async () => {
      const workload = await created(kind);
      await fixture.remove(refTo(kind));
      expect(await codeOf(fixture.store.restart(workload, AT, call()))).toBe('notFound');
    });
  });
}
