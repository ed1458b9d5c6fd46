import { expect, it } from 'vitest';
import { watchSecrets } from '../../../../src/cluster/stores/watched-secrets.ts';
import type { WatchedObject } from '../../../../src/informers/ports.ts';
import { codec } from '../../../fakes/annotations.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { scriptLists } from '../scripted-gateway.ts';

const SECRET = {
  metadata: {
    ...{ namespace: 'team-a', name: 'a', uid: 'uid-a', resourceVersion: '7' },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  type: 'Opaque',
  data: {},
};
const KNOWN: WatchedObject = { namespace: 'team-a', name: 'a', uid: 'uid-a', resourceVersion: '7' };

/** The objects of a list with one item, and how many of them were reduced. */
async function listed(known: WatchedObject | undefined, item: object = SECRET) {
  const body = { kind: 'SecretList', metadata: { resourceVersion: '9' }, items: [item] };
  const gateway = scriptLists(body);
  let reduced = 0;
  const source = watchSecrets<WatchedObject>(
    gateway,
    codec,
    { without: [] },
    {
      known: () => known,
      history: () => undefined,
      live: ({ namespace, name, uid, resourceVersion }) => {
        reduced++;
        return { namespace, name, uid, resourceVersion };
      },
    },
  );
  const { items } = await source.listPage({ limit: 1, maxBytes: 4_711 }, unhurriedCall());
  return { items: [...items], reduced };
}

it('keeps what is kept of the same state of an object, and reads nothing else of it', async () => {
  const { items, reduced } = await listed(KNOWN, { ...SECRET, data: 'not read' });
  expect(items[0]).toBe(KNOWN);
  expect(reduced).toBe(0);
});

it.each([
  ['nothing', undefined],
  ['an earlier state', { ...KNOWN, resourceVersion: '6' }],
  ['another object of the name', { ...KNOWN, uid: 'uid-b' }],
])('reads an object of which %s is kept', async (_what, known) => {
  const { items, reduced } = await listed(known);
  expect(items).toEqual([KNOWN]);
  expect(items[0]).not.toBe(known);
  expect(reduced).toBe(1);
});

it('refuses what is not a Secret, even under a known identity', async () => {
  expect(await codeOf(listed(KNOWN, { ...SECRET, kind: 'ConfigMap' }))).toBe('unavailable');
});
