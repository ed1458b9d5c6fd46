import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../src/errors/service-error.ts';
import { admin } from '../access/users.ts';
import { REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { everyFault, inject } from './every-call.ts';
import { createFixture, type Fixture } from './fixture.ts';

function open(): Fixture {
  const fixture = createFixture();
  const live = seedLive(fixture.cluster);
  for (const version of [1, 2]) seedSnapshot(fixture.cluster, live, version);
  return fixture;
}

const operation = (fixture: Fixture) => fixture.remove({ keepHistory: true, archive: true }, admin());
const faults = await everyFault(open, operation);
/** Its place among the calls: see the order in archived-deletion.test.ts. */
const LIVE_DELETION = 5;

const finals = ({ cluster }: Fixture) =>
  cluster.all().filter(({ managed }) => managed.snapshot?.deletion !== undefined);

describe('when a cluster call of a deletion with archive fails, or the process dies there', () => {
  it('every call is broken once in every way', () => {
    expect(faults.filter(({ code }) => code === 'rbacForbidden')).toHaveLength(7);
    expect(faults.filter(({ disturbance }) => disturbance.when === 'after')).toHaveLength(4);
  });

  it.each(faults)('$title: the state is live, or archived; a repeated request finishes', async (fault) => {
    const fixture = open();
    const live = fixture.live();
    inject(fixture.cluster, fault);
    const failure = await operation(fixture).then(
      () => undefined,
      (error: unknown) => error,
    );
    const place = Number(/^call (\d+)/.exec(fault.title)?.[1]);
    const isGone = fixture.cluster.peek(REF) === undefined;
    expect(isGone).toBe(
      place > LIVE_DELETION || (place === LIVE_DELETION && fault.disturbance.when === 'after'),
    );
    if (failure !== undefined && !isServiceError(failure))
      throw new Error('expected a ServiceError', { cause: failure });
    if (isGone && failure !== undefined) expect(failure.code).toBe('uncertain');

    if (!isGone) expect(await operation(fixture)).toMatchObject({ status: 'deleted', history: 'retained' });
    expect(finals(fixture).map(({ data }) => data)).toEqual([live.data]);
    expect(fixture.archived()).toEqual([1, 2, 3]);
  });
});
