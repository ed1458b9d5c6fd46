import { describe, expect, it } from 'vitest';
import { isServiceError, type ErrorCode } from '../../../src/errors/service-error.ts';
import { REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { everyFault, inject } from './every-call.ts';
import { createFixture, type Fixture } from './fixture.ts';

function open(): Fixture {
  const fixture = createFixture();
  const live = seedLive(fixture.cluster);
  for (const version of [1, 2]) seedSnapshot(fixture.cluster, live, version);
  return fixture;
}

const operation = (fixture: Fixture) => fixture.remove();
const faults = await everyFault(open, operation);
/** The calls of a deletion with two snapshots, by their place: see the order in delete-secret.test.ts. */
const LIVE_DELETION = 12;
const CONFIRMATION = 13;

describe('when a cluster call of a deletion fails', () => {
  it('every call is broken once in every way', () => {
    expect(faults.filter(({ code }) => code === 'rbacForbidden')).toHaveLength(CONFIRMATION);
    expect(faults.filter(({ disturbance }) => disturbance.when === 'after')).toHaveLength(3);
  });

  it.each(faults)('$title: the live Secret outlives every failure before its deletion', async (fault) => {
    const fixture = open();
    inject(fixture.cluster, fault);
    const failure = await operation(fixture).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!isServiceError(failure)) throw new Error('expected a ServiceError', { cause: failure });

    const place = Number(/^call (\d+)/.exec(fault.title)?.[1]);
    const gone = place === CONFIRMATION || (place === LIVE_DELETION && fault.disturbance.when === 'after');
    expect(fixture.cluster.peek(REF) === undefined).toBe(gone);
    expect(failure.code).toBe(expectedCode(place, fault.disturbance.method, fault.code));

    if (!gone) expect(await operation(fixture)).toMatchObject({ status: 'deleted', history: 'cleaned' });
    expect(fixture.cluster.all()).toEqual([]);
  });
});

function expectedCode(place: number, method: string, code: ErrorCode): ErrorCode {
  if (method === 'policies.read') return 'policyUnavailable';
  if (place === CONFIRMATION) return 'uncertain';
  if (place === LIVE_DELETION || place === 1) return code;
  // Reads of the live Secret between the steps fail as they are; everything of history is one code.
  const readsOfLive = [4, 7, 11];
  return readsOfLive.includes(place) ? code : 'historyUnavailable';
}
