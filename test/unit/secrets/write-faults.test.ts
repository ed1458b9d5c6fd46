import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../src/errors/service-error.ts';
import type { StoredSecret } from '../../../src/kube/secret.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { REF, seedLive, seedSnapshot } from '../history/live-secret.ts';
import { everyFault, inject } from './every-call.ts';
import { createFixture, textData, type Fixture, type FixtureOptions } from './fixture.ts';

const WANTED = textData({ wanted: 'yes' });
const LIMIT = 3;

/** Version 5 is live; the three versions before it are archived, so that an update also prunes. */
function open(options: FixtureOptions = {}): Fixture {
  const fixture = createFixture({ historyLimit: LIMIT, ...options });
  const live = seedLive(fixture.cluster, { annotations: { 'service.io/version': '5' }, data: { old: 'x' } });
  for (const version of [2, 3, 4]) {
    seedSnapshot(fixture.cluster, live, version, () => ({ data: new Map([['wanted', Buffer.from('yes')]]) }));
  }
  return fixture;
}

/** Where the watch is behind, the archived state is confirmed with a call. */
const WATCHES: readonly (readonly [watch: string, options: FixtureOptions, confirms: boolean])[] = [
  ['is in time', {}, false],
  ['is behind', { historyIndex: 'none' }, true],
];

const OPERATIONS: readonly (readonly [name: string, operation: (fixture: Fixture) => Promise<unknown>])[] = [
  ['update', (fixture) => fixture.update({ data: WANTED })],
  ['restore', (fixture) => fixture.restore(4)],
];

/** A user who got an error looks at the live Secret again, and repeats what is not there yet. */
async function finish(fixture: Fixture, operation: (fixture: Fixture) => Promise<unknown>): Promise<void> {
  if (!fixture.live().data.has('wanted')) await operation(fixture);
}

const plain = ({ data, annotations, resourceVersion, uid }: StoredSecret) => ({
  data,
  annotations,
  resourceVersion,
  uid,
});

const CASES = OPERATIONS.flatMap((operation) => WATCHES.map((watch) => [operation, watch] as const));

for (const [[name, operation], [watch, options, confirms]] of CASES) {
  const faults = await everyFault(() => open(options), operation);

  describe(`when a cluster call of ${name} fails and the watch ${watch}`, () => {
    it('every call is broken once in every way', () => {
      const writes = faults.filter(({ disturbance }) => disturbance.when === 'after');
      // create the snapshot, delete the one beyond the limit, replace the live Secret, confirm the snapshot
      expect(writes.map(({ disturbance }) => disturbance.method)).toEqual([
        'secrets.create',
        'secrets.delete',
        'secrets.replace',
        ...(confirms ? ['secrets.patchMetadata'] : []),
      ]);
    });

    it.each(faults)('$title: the live Secret is old or new, and a retry finishes', async (fault) => {
      const fixture = open(options);
      const before = fixture.live();
      inject(fixture.cluster, fault);
      const failure = await operation(fixture).then(
        () => undefined,
        (error: unknown) => error,
      );
      const { method, when } = fault.disturbance;
      // What may pass is tried again; the proof is there in the end.
      const isProven = method === 'secrets.patchMetadata' && fault.code !== 'rbacForbidden';
      expect(isServiceError(failure)).toBe(!isProven);
      if (method === 'secrets.patchMetadata' && !isProven)
        expect(failure).toMatchObject({ code: 'uncertain' });

      const replaced =
        method === 'secrets.patchMetadata' || (method === 'secrets.replace' && when === 'after');
      if (replaced) expect([...fixture.live().data.keys()]).toEqual(['wanted']);
      else expect(plain(fixture.live())).toEqual(plain(before));
      if (method === 'secrets.create' || method === 'secrets.delete') {
        expect(failure).toMatchObject({ code: 'historyUnavailable' });
      }

      await finish(fixture, operation);
      expect([...fixture.live().data.keys()]).toEqual(['wanted']);
      expect(fixture.live().annotations.get('service.io/version')).toBe('6');
      expect(fixture.archived()).toEqual([3, 4, 5]);
      expect(fixture.snapshot(5)?.data).toEqual(before.data);
      expect(fixture.snapshot(5)?.annotations.get('service.io/history-resource-version')).toBe(
        before.resourceVersion,
      );
    });
  });
}

describe('when several attempts in a row fail', () => {
  it('one snapshot of the state is kept, and nothing is archived twice', async () => {
    const fixture = open();
    fixture.cluster.fail({ method: 'secrets.replace', times: 3 }, 'unavailable');
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await codeOf(fixture.update({ data: WANTED }))).toBe('unavailable');
    }
    expect(fixture.archived()).toEqual([3, 4, 5]);
    await fixture.update({ data: WANTED });
    expect(fixture.archived()).toEqual([3, 4, 5]);
    expect(fixture.cluster.peek(REF)?.annotations.get('service.io/version')).toBe('6');
  });

  it('the failure of the live write is passed on as it is', async () => {
    for (const code of ['unavailable', 'uncertain', 'rejected', 'rbacForbidden', 'tooLarge'] as const) {
      const fixture = open();
      fixture.cluster.fail({ method: 'secrets.replace' }, code);
      expect(await codeOf(fixture.update({ data: WANTED }))).toBe(code);
    }
  });

  it('a defect is not taken for a failure of the cluster', async () => {
    const fixture = open();
    fixture.cluster.fail({ method: 'secrets.replace' }, new TypeError('a defect'));
    await expect(fixture.update({ data: WANTED })).rejects.toThrow(TypeError);
  });
});
