import { describe, expect, it } from 'vitest';
import type { AuthorizedSecret } from '../../../src/secrets/authorize.ts';
import { createConsumers, FAILURES, type NamedWorkload } from '../../../src/workloads/consumers.ts';
import type { WorkloadKind } from '../../../src/workloads/ports.ts';
import { ERROR_CODES, type ErrorCode } from '../../../src/errors/service-error.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { createFakeWorkloadStore } from '../../fakes/fake-workload-store.ts';

const SECRET = { namespace: 'team-a', name: 'db' };
const USING = { imagePullSecrets: [{ name: 'db' }] };
const NOW = new Date('2026-03-04T05:06:07.089Z');

/** Four consumers, one of each kind, and a Deployment that is none. */
function fixture() {
  const store = createFakeWorkloadStore();
  const ref = (kind: WorkloadKind, name: string) => ({ kind, namespace: 'team-a', name });
  store.put({ ...ref('CronJob', 'report'), podSpec: USING });
  store.put({ ...ref('DaemonSet', 'agent'), podSpec: USING });
  store.put({ ...ref('Deployment', 'web'), podSpec: USING });
  store.put({ ...ref('StatefulSet', 'queue'), podSpec: USING });
  store.put(ref('Deployment', 'stranger'));
  return {
    store,
    ref,
    restart: (named?: readonly NamedWorkload[]) =>
      createConsumers(store, () => NOW).restart(
        { live: SECRET } as AuthorizedSecret<'write'>,
        named,
        unhurriedCall(),
      ),
    writes: () => store.calls.filter((call) => call.startsWith('restart')),
  };
}

const WEB = { kind: 'Deployment', name: 'web' } as const;
const AGENT = { kind: 'DaemonSet', name: 'agent' } as const;
const QUEUE = { kind: 'StatefulSet', name: 'queue' } as const;
const REPORT = { kind: 'CronJob', name: 'report' } as const;

describe('a restart', () => {
  it('without names is of all consumers; a CronJob needs none', async () => {
    const { store, ref, restart } = fixture();
    expect(await restart()).toEqual({ restarted: [AGENT, WEB, QUEUE], failed: [] });
    for (const { kind, name } of [AGENT, WEB, QUEUE]) expect(store.restartedAt(ref(kind, name))).toEqual(NOW);
    expect(store.restartedAt(ref('CronJob', 'report'))).toBeUndefined();
    expect(store.restartedAt(ref('Deployment', 'stranger'))).toBeUndefined();
  });

  it('of named consumers is of these, each once, in the order of kind and name', async () => {
    const { restart, writes } = fixture();
    expect(await restart([QUEUE, WEB, REPORT, WEB])).toEqual({ restarted: [WEB, QUEUE], failed: [] });
    expect(writes()).toEqual(['restart Deployment/web', 'restart StatefulSet/queue']);
  });

  it('of an empty list is of none', async () => {
    const { restart, writes } = fixture();
    expect(await restart([])).toEqual({ restarted: [], failed: [] });
    expect(writes()).toEqual([]);
  });

  it.each<[string, NamedWorkload]>([
    ['a workload that does not use the Secret', { kind: 'Deployment', name: 'stranger' }],
    ['a workload that does not exist', { kind: 'Deployment', name: 'absent' }],
    ['a consumer under another kind', { kind: 'StatefulSet', name: 'web' }],
    ['a CronJob that does not use it', { kind: 'CronJob', name: 'web' }],
  ])('of %s is refused, and nothing is restarted', async (_what, named) => {
    const { restart, writes } = fixture();
    expect(await codeOf(restart([WEB, named, AGENT]))).toBe('invalidSecret');
    expect(writes()).toEqual([]);
  });

  it('names nothing that was sent when it refuses', async () => {
    const { restart } = fixture();
    await expect(restart([{ kind: 'Deployment', name: 'planted-4711' }])).rejects.toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('planted') as string }) as Error,
    );
  });
});

describe('one that fails', () => {
  it.each<[ErrorCode, string]>([
    ['notFound', 'notFound'],
    ['rbacForbidden', 'forbidden'],
    ['rejected', 'rejected'],
    ['tooLarge', 'rejected'],
    ['unavailable', 'unavailable'],
    ['uncertain', 'uncertain'],
  ])('with %s is reported as %s and does not stop the others', async (code, reason) => {
    const { store, restart } = fixture();
    store.fail('restart Deployment/web', code);
    expect(await restart()).toEqual({ restarted: [AGENT, QUEUE], failed: [{ ...WEB, reason }] });
  });

  it.each(ERROR_CODES)(
    'with %s, at the write or at the read after it, is reported by a known word',
    async (code) => {
      for (const call of ['restart Deployment/web', 'read Deployment/web']) {
        const { store, restart } = fixture();
        if (call.startsWith('read')) store.fail('restart Deployment/web', 'conflict');
        store.fail(call, code, 9);
        const { restarted, failed } = await restart();
        expect(restarted).toEqual([AGENT, QUEUE]);
        expect(failed).toEqual([{ ...WEB, reason: expect.toBeOneOf([...FAILURES]) as string }]);
      }
    },
  );

  it('with an error that is none of the family is a defect, and comes to light', async () => {
    const { store, restart } = fixture();
    store.fail('restart Deployment/web', new TypeError('a bug'));
    await expect(restart()).rejects.toThrow(TypeError);
  });

  it('a paused Deployment is reported, and not touched', async () => {
    const { store, ref, restart, writes } = fixture();
    store.put({ ...ref('Deployment', 'web'), podSpec: USING, paused: true });
    expect(await restart([WEB])).toEqual({ restarted: [], failed: [{ ...WEB, reason: 'paused' }] });
    expect(writes()).toEqual([]);
  });
});

describe('a workload that changes between the list and its restart', () => {
  /** What someone does before the write, the first `times` times. */
  function raced(act: (store: ReturnType<typeof fixture>['store']) => void, times = 1) {
    const { store, restart, ref, writes } = fixture();
    store.before(
      'restart Deployment/web',
      () => {
        act(store);
      },
      times,
    );
    return { store, restart: () => restart([WEB]), ref, writes };
  }
  const REF = { kind: 'Deployment', namespace: 'team-a', name: 'web' } as const;

  it('is restarted as it is then', async () => {
    const { store, restart, ref, writes } = raced((s) => void s.put({ ...REF, podSpec: USING }), 2);
    expect(await restart()).toEqual({ restarted: [WEB], failed: [] });
    expect(writes()).toHaveLength(3);
    expect(store.restartedAt(ref('Deployment', 'web'))).toEqual(NOW);
  });

  it.each<[string, string, (store: ReturnType<typeof fixture>['store']) => void, number?]>([
    [
      'is gone',
      'notFound',
      (s) => {
        s.put({ ...REF, podSpec: USING });
        s.before('read Deployment/web', () => {
          s.remove(REF);
        });
      },
    ],
    [
      'is recreated',
      'replaced',
      (s) => {
        s.remove(REF);
        s.put({ ...REF, podSpec: USING });
      },
    ],
    ['uses the Secret no more', 'noConsumer', (s) => void s.put(REF)],
    ['is paused', 'paused', (s) => void s.put({ ...REF, podSpec: USING, paused: true })],
    ['changes every time', 'conflict', (s) => void s.put({ ...REF, podSpec: USING }), 9],
  ])('when it %s is not restarted: %s', async (_what, reason, act, times) => {
    const { store, restart, ref, writes } = raced(act, times);
    expect(await restart()).toEqual({ restarted: [], failed: [{ ...WEB, reason }] });
    expect(writes().length).toBeLessThanOrEqual(3);
    expect(store.restartedAt(ref('Deployment', 'web'))).toBeUndefined();
  });
});
