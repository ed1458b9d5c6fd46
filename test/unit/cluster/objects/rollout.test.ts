import { describe, expect, it } from 'vitest';
import { rolloutOf } from '../../../../src/cluster/objects/rollout.ts';

/** What `kubectl rollout status` waits for: rollout_status.go in k8s.io/kubectl/pkg/polymorphichelpers. */

const native = (spec: unknown, status: unknown, generation: unknown = 2) => ({
  metadata: { name: 'web', generation },
  spec,
  status,
});
const SEEN = { observedGeneration: 2 };
const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;

describe('the rollout of a Deployment', () => {
  const whole = { ...SEEN, replicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const progress = (status: object, spec: object = { replicas: 3 }) =>
    rolloutOf('Deployment', native(spec, { ...whole, ...status }));
  const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };

  it('is done once all pods are updated, no other is left and they are available', () => {
    expect(progress({})).toEqual({ desired: 3, updated: 3, available: 3, done: true });
  });

  it('has updated none while the change is not observed, whatever the status still says', () => {
    const before = { desired: 3, updated: 0, available: 3, done: false };
    expect(progress({ observedGeneration: 1 })).toEqual(before);
    expect(progress({ observedGeneration: 1, conditions: [late] })).toEqual(before);
    expect(progress({ observedGeneration: 3 })).toMatchObject({ done: true });
  });

  it.each<[string, object]>([
    ['pods are not updated', { updatedReplicas: 2 }],
    ['pods of before are left', { replicas: 4 }],
    ['updated pods are not available', { availableReplicas: 2 }],
  ])('is not done while %s', (_what, status) => {
    expect(progress(status)).toMatchObject({ done: false });
    expect(progress(status)).not.toHaveProperty('reason');
  });

  it('says that its progress deadline is exceeded, even if nothing else is missing', () => {
    const other = { type: 'Available', reason: 'MinimumReplicasAvailable' };
    expect(progress({ updatedReplicas: 1, conditions: [other, late] })).toEqual({
      desired: 3,
      updated: 1,
      available: 3,
      done: false,
      reason: 'progressDeadlineExceeded',
    });
    expect(progress({ conditions: [late] })).toMatchObject({ done: false });
    const fine = { type: 'Progressing', reason: 'NewReplicaSetAvailable' };
    const elsewhere = { ...late, type: 'Available' };
    expect(progress({ conditions: [fine, elsewhere] })).toMatchObject({ done: true });
  });

  it('of no replicas is done when the last pod is gone', () => {
    expect(progress({ replicas: 1, updatedReplicas: 0 }, { replicas: 0 })).toMatchObject({ done: false });
    expect(progress({ replicas: 0, updatedReplicas: 0 }, { replicas: 0 })).toMatchObject({ done: true });
  });
});

describe('the rollout of a StatefulSet', () => {
  const whole = { ...SEEN, readyReplicas: 3, updatedReplicas: 3, availableReplicas: 3 };
  const rolling = (partition: unknown) => ({
    replicas: 3,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
  });
  const progress = (status: object, spec: object = rolling(0)) =>
    rolloutOf('StatefulSet', native(spec, { ...whole, ...status }));

  it('is done once all pods are ready and updated', () => {
    expect(progress({})).toEqual({ desired: 3, updated: 3, available: 3, done: true });
    expect(progress({ readyReplicas: 2 })).toMatchObject({ done: false });
    expect(progress({ updatedReplicas: 2 })).toMatchObject({ updated: 2, done: false });
  });

  it('of a partition updates the pods from there on', () => {
    expect(progress({ updatedReplicas: 1 }, rolling(2))).toMatchObject({
      desired: 1,
      updated: 1,
      done: true,
    });
    expect(progress({ updatedReplicas: 0 }, rolling(2))).toMatchObject({ desired: 1, done: false });
    expect(progress({ updatedReplicas: 0 }, rolling(5))).toMatchObject({ desired: 0, done: true });
  });

  it('without rollingUpdate is done once the current revision is the updated one', () => {
    const spec = { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: null } };
    const revisions = (updateRevision: unknown, currentRevision: unknown) =>
      progress({ updateRevision, currentRevision }, spec);
    expect(revisions('web-2', 'web-1')).toMatchObject({ done: false });
    expect(revisions('web-2', 'web-2')).toMatchObject({ done: true });
    expect(revisions({ planted: 1 }, ['planted'])).toMatchObject({ done: true });
  });

  it('is not done while no generation was ever observed', () => {
    const status = { ...whole, observedGeneration: 0 };
    expect(rolloutOf('StatefulSet', native(rolling(0), status, 0))).toMatchObject({
      updated: 0,
      done: false,
    });
    expect(progress({ observedGeneration: 1 })).toMatchObject({ updated: 0, done: false });
  });
});

describe('the rollout of a DaemonSet', () => {
  const whole = { ...SEEN, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 };
  const progress = (status: object) => rolloutOf('DaemonSet', native({}, { ...whole, ...status }));

  it('is done once the pods of all nodes are updated and available', () => {
    expect(progress({})).toEqual({ desired: 3, updated: 3, available: 3, done: true });
    expect(progress({ updatedNumberScheduled: 2 })).toMatchObject({ updated: 2, done: false });
    expect(progress({ numberAvailable: 2 })).toMatchObject({ available: 2, done: false });
    expect(progress({ observedGeneration: 1 })).toMatchObject({ updated: 0, done: false });
  });
});

describe('with the strategy OnDelete', () => {
  const spec = { replicas: 2, updateStrategy: { type: 'OnDelete' } };
  const ofDaemonSet = { desiredNumberScheduled: 2, numberAvailable: 2 };
  const ofStatefulSet = { readyReplicas: 2, availableReplicas: 2, updateRevision: 'b', currentRevision: 'b' };

  it.each([
    ['DaemonSet', 'updatedNumberScheduled', ofDaemonSet],
    ['StatefulSet', 'updatedReplicas', ofStatefulSet],
  ] as const)('a %s waits for someone to delete its pods', (kind, field, status) => {
    const progress = (updated: number) =>
      rolloutOf(kind, native(spec, { ...SEEN, ...status, [field]: updated }));
    expect(progress(1)).toEqual({ desired: 2, updated: 1, available: 2, done: false, reason: 'onDelete' });
    expect(progress(2)).toEqual({ desired: 2, updated: 2, available: 2, done: true });
  });
});

describe('a status that no controller writes', () => {
  const NUMBERS = [
    ...['replicas', 'updatedReplicas', 'availableReplicas', 'readyReplicas'],
    ...['desiredNumberScheduled', 'updatedNumberScheduled', 'numberAvailable'],
  ];
  const HOSTILE = [-1, 0.5, 1e300, '3', null, true, [], {}, [3]];

  it.each([...HOSTILE, 2 ** 31])('counts %o as 0', (value) => {
    const all = Object.fromEntries(NUMBERS.map((name) => [name, value]));
    for (const kind of KINDS) {
      const rollout = rolloutOf(kind, native(all, { ...all, ...SEEN }));
      expect(rollout).toEqual({ desired: 0, updated: 0, available: 0, done: true });
    }
  });

  it.each([...HOSTILE, Number.MAX_SAFE_INTEGER + 1])('takes %o for generation 0', (value) => {
    const status = { updatedReplicas: 1, replicas: 1, availableReplicas: 1 };
    const observed = { ...status, observedGeneration: value };
    expect(rolloutOf('Deployment', native({}, observed))).toMatchObject({ done: false });
    expect(rolloutOf('Deployment', native({}, status, value))).toMatchObject({ done: true });
  });

  it.each([[undefined], [null], ['planted'], [7], [[]], [{ conditions: 'x' }], [{ conditions: [null, 7] }]])(
    'reads %j as one without fields',
    (odd) => {
      for (const kind of KINDS) {
        const rollout = rolloutOf(kind, native(odd, odd));
        expect(rollout).toEqual({ desired: 0, updated: 0, available: 0, done: false });
      }
    },
  );

  it('takes nothing from a prototype', () => {
    const status = Object.create({ observedGeneration: 9, updatedReplicas: 9 }) as object;
    expect(rolloutOf('Deployment', native({}, status))).toMatchObject({ updated: 0, done: false });
  });
});

it('a CronJob has no rollout', () => {
  expect(rolloutOf('CronJob', native({ replicas: 3 }, SEEN))).toBeUndefined();
});
