import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createReflectors } from '../../../src/app/reflectors.ts';
import type { ServiceParts } from '../../../src/app/parts.ts';
import { PlainTable } from '../../../src/informers/object-store.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createScriptedSource, type Thing } from '../informers/scripted-source.ts';

/** The reflectors of two namespaces, running and watching. */
async function reflectTwo() {
  const [teamA, teamB] = [createScriptedSource(() => 0), createScriptedSource(() => 0)];
  const nothing = (): void => undefined;
  const events = new EventEmitter();
  const parts = {
    logger: createLogger('info', { write: nothing }),
    metrics: { inc: nothing, set: nothing, onExpose: nothing },
    events,
  };
  const { tasks } = createReflectors<Thing, PlainTable<Thing>>(parts as unknown as ServiceParts, {
    informer: 'things',
    scopes: [{ namespace: 'team-a' }, { namespace: 'team-b' }],
    sourceOf: ({ namespace }) => (namespace === 'team-a' ? teamA : teamB),
    createTable: () => new PlainTable<Thing>(),
    onChange: nothing,
  });
  const stop = new AbortController();
  const running = Promise.all(tasks.map((run) => run(stop.signal)));
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await vi.waitUntil(() => teamA.watches.length === 1 && teamB.watches.length === 1);
  return { teamA, teamB, events };
}

it('each scope reads the revision of the storage itself: the first one may be forbidden', async () => {
  const { teamA, teamB } = await reflectTwo();
  teamB.lastWatch().fail(new Error('broken'));
  await vi.waitUntil(() => teamB.watches.length === 2, 10_000);
  expect([teamA, teamB].map(({ lists }) => lists.map(({ limit }) => limit === 1))).toEqual([
    [false],
    [false, true],
  ]);
});

it('all scopes are listed again once one of them notices that the storage was restored', async () => {
  const { teamA, teamB, events } = await reflectTwo();
  events.emit('restored');
  await vi.waitUntil(() => teamA.watches.length === 2 && teamB.watches.length === 2);
  expect([teamA.lists.length, teamB.lists.length]).toEqual([2, 2]);
});
