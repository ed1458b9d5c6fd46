import { describe, expect, it } from 'vitest';
import { textAt } from '../../../hack/dev-cluster/json/json.ts';
import { eventText, secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();
const METADATA_ONLY = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };

async function revisionNow(client: Awaited<ReturnType<typeof start>>['client']): Promise<string> {
  return textAt((await client.get(SECRETS)).body, 'metadata', 'resourceVersion');
}

describe('a watch', () => {
  it('sends metadata alone when it is requested, bookmarks included', async () => {
    const { cluster, client } = await start();
    await client.post(SECRETS, secretBody('a'));
    const watch = await client.watch(`${SECRETS}?watch=true&allowWatchBookmarks=true`, METADATA_ONLY);
    const [added] = await watch.take(1);
    expect(added).toMatchObject({
      type: 'ADDED',
      object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } },
    });
    expect(JSON.stringify(added)).not.toContain('dg==');
    cluster.bookmark();
    const [bookmark] = await watch.take(1);
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: await revisionNow(client) },
      },
    });
    await watch.close();
  });

  it('sends bookmarks by itself to those who take them, and one before its timeout', async () => {
    const { client } = await start({ bookmarkEveryMs: 20 });
    const revision = await revisionNow(client);
    const taking = await client.watch(
      `${SECRETS}?watch=true&resourceVersion=${revision}&allowWatchBookmarks=true`,
    );
    expect((await taking.take(2)).map(eventText)).toEqual(['BOOKMARK', 'BOOKMARK']);
    await taking.close();
    const refusing = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}&timeoutSeconds=1`);
    expect(await refusing.end()).toEqual({ events: [], how: 'ended' });
  });

  it('ends cleanly after timeoutSeconds, with a last bookmark', async () => {
    const { client } = await start();
    const watch = await client.watch(`${SECRETS}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`);
    const { events, how } = await watch.end();
    expect(how).toBe('ended');
    expect(events.map(eventText)).toEqual(['BOOKMARK']);
  });

  it('from a revision that is yet to come sends nothing up to it', async () => {
    const { cluster, client } = await start();
    const revision = Number(await revisionNow(client)) + 2;
    const watch = await client.watch(
      `${SECRETS}?watch=true&allowWatchBookmarks=true&resourceVersion=${revision}`,
    );
    for (const name of ['a', 'b', 'c']) {
      await client.post(SECRETS, secretBody(name));
      cluster.bookmark();
    }
    const [bookmark, ...events] = await watch.take(3);
    expect(textAt(bookmark, 'object', 'metadata', 'resourceVersion')).toBe(String(revision));
    expect(events.map(eventText)).toEqual(['ADDED c', 'BOOKMARK']);
    await watch.close();
  });

  it('that first sends what is there is refused (504) from a revision that is yet to come', async () => {
    const { client } = await start();
    const revision = Number(await revisionNow(client)) + 1;
    const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await client.watch(`${SECRETS}?watch=true&${streaming}&resourceVersion=${revision}`);
    const { events, how } = await watch.end();
    expect(how).toBe('ended');
    const status = { code: 504, reason: 'Timeout' };
    expect(events).toMatchObject([{ type: 'ERROR', object: status }]);
  });

  it('over all namespaces sees what a watch of one namespace does not', async () => {
    const { client } = await start();
    const revision = await revisionNow(client);
    const all = await client.watch(`/api/v1/secrets?watch=true&resourceVersion=${revision}`);
    const one = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
    await client.post('/api/v1/namespaces/kube-public/secrets', secretBody('elsewhere'));
    await client.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'other-kind' } });
    await client.post(SECRETS, secretBody('here'));
    expect((await all.take(2)).map(eventText)).toEqual(['ADDED elsewhere', 'ADDED here']);
    expect((await one.take(1)).map(eventText)).toEqual(['ADDED here']);
    await Promise.all([all.close(), one.close()]);
  });

  it('resumes from a revision without losing or repeating a change', async () => {
    const { client } = await start();
    const first = await client.post(SECRETS, secretBody('a'));
    await client.post(SECRETS, secretBody('b'));
    await client.delete(`${SECRETS}/a`, {});
    const revision = textAt(first.body, 'metadata', 'resourceVersion');
    const watch = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
    await client.post(SECRETS, secretBody('c'));
    expect((await watch.take(3)).map(eventText)).toEqual(['ADDED b', 'DELETED a', 'ADDED c']);
    await watch.close();
  });

  it('follows one object by a field selector', async () => {
    const { client } = await start();
    const watch = await client.watch(`${SECRETS}?watch=true&fieldSelector=metadata.name%3Db`);
    await client.post(SECRETS, secretBody('a'));
    await client.post(SECRETS, secretBody('b'));
    expect((await watch.take(1)).map(eventText)).toEqual(['ADDED b']);
    await watch.close();
  });

  it('from a compacted revision gets one ERROR event of 410 and the end', async () => {
    const { cluster, client } = await start();
    const revision = await revisionNow(client);
    cluster.compact();
    const watch = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
    expect(watch.status).toBe(200);
    const { events, how } = await watch.end();
    expect(how).toBe('ended');
    expect(events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(textAt(events[0], 'object', 'message')).toMatch(/^too old resource version: \d+ \(\d+\)$/);
  });

  it('from further back than the history reaches gets 410, too', async () => {
    const { client } = await start({ historyLimit: 5 });
    const revision = await revisionNow(client);
    for (let turn = 0; turn < 12; turn++) await client.post(SECRETS, secretBody(`s${turn}`));
    const watch = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
    expect((await watch.end()).events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  });

  it('refuses sendInitialEvents without resourceVersionMatch', async () => {
    const { client } = await start();
    expect((await client.get(`${SECRETS}?watch=true&sendInitialEvents=true`)).status).toBe(422);
  });
});

describe('a watch that misbehaves on request', () => {
  it('ends after so many events, cleanly', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ match: { verb: 'watch' }, times: 1, action: { type: 'endWatch', afterEvents: 2 } });
    for (const name of ['a', 'b', 'c']) await client.post(SECRETS, secretBody(name));
    const watch = await client.watch(`${SECRETS}?watch=true`);
    const { events, how } = await watch.end();
    expect(events.map(eventText)).toEqual(['ADDED a', 'ADDED b']);
    expect(how).toBe('ended');
  });

  it('is cut while it runs', async () => {
    const { cluster, client } = await start();
    const watch = await client.watch(`${SECRETS}?watch=true`);
    const fault = cluster.faults.add({ action: { type: 'endWatch', abrupt: true } });
    expect((await watch.end()).how).toBe('cut');
    expect(fault.hits).toBe(1);
  });

  it('falls silent while it runs, and stays open', async () => {
    const { cluster, client } = await start();
    const silent = await client.watch(`${SECRETS}?watch=true&allowWatchBookmarks=true`);
    cluster.faults.add({ times: 1, action: { type: 'silenceWatch' } });
    const observer = await client.watch(`${SECRETS}?watch=true&allowWatchBookmarks=true`);
    await client.post(SECRETS, secretBody('a'));
    cluster.bookmark();
    expect((await observer.take(2)).map(eventText)).toEqual(['ADDED a', 'BOOKMARK']);

    await cluster.close();
    expect(await silent.end()).toEqual({ events: [], how: 'cut' });
  });

  it('lags behind, in order', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ match: { verb: 'watch' }, times: 1, action: { type: 'lagWatch', ms: 300 } });
    const late = await client.watch(`${SECRETS}?watch=true&timeoutSeconds=3&allowWatchBookmarks=true`);
    const observer = await client.watch(`${SECRETS}?watch=true`);
    const begun = performance.now();
    for (const name of ['a', 'b']) await client.post(SECRETS, secretBody(name));
    expect((await observer.take(2)).map(eventText)).toEqual(['ADDED a', 'ADDED b']);
    expect((await late.take(1)).map(eventText)).toEqual(['ADDED a']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299);
    const { events, how } = await late.end();
    expect([events.map(eventText), how]).toEqual([['ADDED b', 'BOOKMARK'], 'ended']);
    await observer.close();
  });

  it('drops bookmarks, and nothing else', async () => {
    const { cluster, client } = await start();
    cluster.faults.add({ action: { type: 'dropBookmarks' } });
    const watch = await client.watch(`${SECRETS}?watch=true&allowWatchBookmarks=true`);
    cluster.bookmark();
    await client.post(SECRETS, secretBody('a'));
    expect((await watch.take(1)).map(eventText)).toEqual(['ADDED a']);
    await watch.close();
  });
});
