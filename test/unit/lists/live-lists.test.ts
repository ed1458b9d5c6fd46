import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SnapshotStore } from '../../../src/history/ports.ts';
import type { ListBody } from '../../../src/lists/list-body.ts';
import { createLiveLists } from '../../../src/lists/live-lists.ts';
import { createRequestSeats } from '../../../src/server/request-seats.ts';
import type { ListJson } from '../../harness/answers.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { settled } from '../../fakes/virtual-clock.ts';
import { actor, admin } from '../access/users.ts';
import { callLines, seedLive } from '../history/live-secret.ts';
import { createFixture, type Fixture } from '../secrets/fixture.ts';
import { codec } from '../../fakes/annotations.ts';
import { inScope, refInScope } from '../../fakes/in-scope.ts';

const list = (fixture: Fixture, who = admin(), namespace = 'team-a', signal?: AbortSignal) =>
  fixture.lists.list(who, inScope(namespace), { live: true }, unhurriedCall(signal));
const namesIn = ({ body }: { readonly body: ListBody }) =>
  (JSON.parse(body.plain.toString()) as ListJson).secrets.map(({ name }) => name);
const pagesOf = ({ cluster }: Fixture, method: 'listPage' | 'listMetadata' = 'listPage') =>
  callLines(cluster).filter((line) => line.startsWith(method)).length;

/** A fixture whose next page is held back until the test lets it go. */
function held(fixture: Fixture, times = 1, method: 'listPage' | 'listMetadata' = 'listPage') {
  const gates: (() => void)[] = [];
  fixture.cluster.on(
    { method: `secrets.${method}`, times },
    () => new Promise((resolve) => gates.push(resolve)),
  );
  return {
    letGo: async () => {
      gates.shift()?.();
      await settled();
    },
    waiting: () => gates.length,
  };
}

describe('live lists that are requested at the same time', () => {
  it('are two collections for forty people: the first one alone, and one for all the others', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster, { annotations: { 'service.io/allowed-groups': 'team-b' }, name: 'theirs' });
    seedLive(fixture.cluster, { name: 'everybodys' });
    const who = [admin(), actor(), actor({ groups: ['team-b'] })];
    const lists = await Promise.all(
      Array.from({ length: 42 }, (_one, index) => list(fixture, who[index % 3] ?? admin())),
    );
    expect(pagesOf(fixture)).toBe(2);
    const [all, some] = [['everybodys', 'theirs'], ['everybodys']];
    expect(lists.map(namesIn)).toEqual(Array.from({ length: 14 }, () => [all, some, all]).flat());
    // Whoever sees the same gets the same bytes, made once for each collection.
    expect(new Set(lists.map(({ body }) => body)).size).toBeLessThanOrEqual(4);
  });

  it('read the policy for all who need it together, after the Secrets', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    await Promise.all(Array.from({ length: 40 }, () => list(fixture, actor())));
    const reads = callLines(fixture.cluster).filter((line) => line.startsWith('policies'));
    expect(reads.length).toBeLessThanOrEqual(4);
    expect(callLines(fixture.cluster)[0]).toMatch(/^listPage/);
  });

  it('return the newest revision that they show, wherever in the order it is', async () => {
    const { cluster } = createFixture();
    seedLive(cluster, { name: 'b' });
    const newest = seedLive(cluster, { name: 'a' });
    const { secrets: store } = cluster;
    const countRefusal = () => undefined;
    const lists = createLiveLists({ store, codec, listCache: undefined, countRefusal });
    const view = await lists.join('team-a', unhurriedCall());
    expect(view.items.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(view.newest).toBe(newest.resourceVersion);
  });

  it('are ordered by name, whatever the order of the cluster', async () => {
    const { cluster } = createFixture();
    for (const name of ['a', 'b', 'c']) seedLive(cluster, { name });
    const store: Pick<SnapshotStore, 'listPage'> = {
      listPage: async (...requested) => {
        const page = await cluster.secrets.listPage(...requested);
        return { ...page, items: [...page.items].toReversed() };
      },
    };
    const countRefusal = () => undefined;
    const lists = createLiveLists({ store, codec, listCache: undefined, countRefusal });
    const view = await lists.join('team-a', unhurriedCall());
    expect(view.items.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('show what was created before they were requested, whatever is being collected', async () => {
    const fixture = createFixture();
    const pages = held(fixture);
    const early = list(fixture);
    await settled();
    seedLive(fixture.cluster, { name: 'later' });
    const late = list(fixture);
    await pages.letGo();
    await early;
    expect(namesIn(await late)).toEqual(['later']);
    expect(pagesOf(fixture)).toBe(2);
  });

  it('fail together, and those after them do not', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    fixture.cluster.fail({ method: 'secrets.listPage' }, 'unavailable');
    const [first, ...rest] = Array.from({ length: 5 }, () => list(fixture));
    expect(await codeOf(first ?? Promise.resolve())).toBe('listFailed');
    for (const one of rest) expect(namesIn(await one)).toEqual(['db']);
  });

  it('of a person who is not allowed anything fail no one else', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    fixture.cluster.setPolicy('team-a', { allowedGroups: 'broken' });
    const [mine, theirs, again] = [list(fixture, actor()), list(fixture), list(fixture, actor())];
    expect(await codeOf(mine)).toBe('policyUnavailable');
    expect(await codeOf(again)).toBe('policyUnavailable');
    expect(namesIn(await theirs)).toEqual(['db']);
  });

  it('go on for the others when one person runs out of time', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    const pages = held(fixture, 2);
    const hurried = new AbortController();
    const [first, impatient, patient] = [
      list(fixture),
      list(fixture, admin(), 'team-a', hurried.signal),
      list(fixture),
    ];
    await settled();
    hurried.abort();
    expect(await codeOf(impatient)).toBe('listFailed');
    await pages.letGo();
    await pages.letGo();
    expect(namesIn(await first)).toEqual(['db']);
    expect(namesIn(await patient)).toEqual(['db']);
  });

  it('are two at once; then a short queue, beyond which they are refused with the time to come back', async () => {
    const refused: string[] = [];
    const fixture = createFixture({ countRefusal: (bound) => refused.push(bound) });
    const pages = held(fixture, 100);
    const lists = Array.from({ length: 18 }, (_one, index) => list(fixture, admin(), `n${index}`));
    await settled();
    expect(pages.waiting()).toBe(2);
    await expect(list(fixture, admin(), 'one-more')).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 2,
    });
    expect(refused).toEqual(['live_lists']);
    while (pages.waiting() > 0) await pages.letGo();
    expect(await Promise.all(lists)).toHaveLength(18);
    expect(pagesOf(fixture)).toBe(18);
  });
});

describe('histories that are read at the same time', () => {
  it('are two lists for forty people', async () => {
    const fixture = createFixture();
    seedLive(fixture.cluster);
    await fixture.update({ description: 'x' });
    fixture.cluster.calls.splice(0);
    const all = await Promise.all(Array.from({ length: 40 }, () => fixture.versions()));
    expect(all.every(({ versions }) => versions.length === 1)).toBe(true);
    expect(pagesOf(fixture, 'listMetadata')).toBe(2);
  });

  it('are four at once, and as many wait as have a seat', async () => {
    const fixture = createFixture();
    const seats = createRequestSeats(() => undefined);
    const live = Array.from({ length: 37 }, (_one, index) =>
      seedLive(fixture.cluster, { name: `s${index}` }),
    );
    const pages = held(fixture, 100, 'listMetadata');
    let callers = 0;
    let most = 0;
    const versions = live.map((ref) => {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      const request = { flow: ref.name, response, deadline: unhurriedCall() };
      const read = seats.clusterWork.run(request, async () => {
        const open = await fixture.service.authorize(admin(), refInScope(ref), unhurriedCall());
        most = Math.max(most, ++callers);
        return fixture.service.listVersions(open, unhurriedCall()).finally(() => callers--);
      });
      return read.finally(() => response.emit('close'));
    });
    await settled();
    expect([pages.waiting(), callers]).toEqual([4, 16]);
    while (pages.waiting() > 0) await pages.letGo();
    expect(await Promise.all(versions)).toHaveLength(37);
    expect(most).toBe(16);
  });
});
