import { describe, expect, it } from 'vitest';
import { isRolledOut } from '../../../hack/e2e/rollout.ts';

const done = {
  metadata: { generation: 3 },
  spec: { replicas: 2 },
  status: { observedGeneration: 3, updatedReplicas: 2, readyReplicas: 2, replicas: 2 },
};

describe('a rollout', () => {
  it('is over when all replicas are new and ready', () => {
    expect(isRolledOut(done)).toBe(true);
  });

  it.each([
    ['no one has looked at the newest generation', { observedGeneration: 2 }],
    ['a replica is still old', { updatedReplicas: 1 }],
    ['a replica is not ready', { readyReplicas: 1 }],
    ['an old replica is still there', { replicas: 3 }],
  ])('is not over while %s', (_why, status) => {
    expect(isRolledOut({ ...done, status: { ...done.status, ...status } })).toBe(false);
  });

  it('is not over before it has a status', () => {
    expect(isRolledOut({ metadata: {}, spec: {} })).toBe(false);
  });
});
