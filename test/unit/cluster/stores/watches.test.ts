import { describe, expect, it } from 'vitest';
import type { ClusterRequest } from '../../../../src/cluster/transport/request.ts';
import { SECRETS } from '../../../../src/cluster/objects/resources.ts';
import { decodeMetadata } from '../../../../src/cluster/stores/secret-codec.ts';
import { watchSecretMetadata } from '../../../../src/cluster/stores/watched-secrets.ts';
import { watchConfigMaps } from '../../../../src/cluster/stores/policy-store.ts';
import type { WatchEvent } from '../../../../src/informers/ports.ts';
import type { SecretMetadata } from '../../../../src/kube/secret.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { scriptLists } from '../scripted-gateway.ts';
import { codec } from '../../../fakes/annotations.ts';

const deadline = unhurriedCall();
const never = new AbortController().signal;
const itself = <Item>(item: Item) => item;

function partial(name: string, more: object = {}) {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: {
      ...{ namespace: 'team-a', name, uid: `uid-${name}`, resourceVersion: '7' },
      ...{ creationTimestamp: '2026-01-01T00:00:00Z', ...more },
    },
  };
}

function streamGateway(frames: readonly string[]) {
  const requests: ClusterRequest[] = [];
  return {
    requests,
    takeTurn: () => Promise.resolve(),
    request: () => Promise.reject(new Error('no request was expected')),
    stream: <Line>(request: ClusterRequest, _signal: AbortSignal, read: (text: string) => Line) => {
      requests.push(request);
      const lines = (async function* () {
        for (const frame of frames) yield await Promise.resolve(read(frame));
      })();
      return Promise.resolve({ lines, silenceMs: () => 42 });
    },
  };
}

/** The events of a watch that sends these frames. */
async function eventsOf(...frames: readonly unknown[]): Promise<readonly WatchEvent<SecretMetadata>[]> {
  const lines = frames.map((frame) => (typeof frame === 'string' ? frame : JSON.stringify(frame)));
  const watch = await watchSecretMetadata(streamGateway(lines), codec, { without: [] }, itself).watch(
    '5',
    300,
    never,
  );
  const events: WatchEvent<SecretMetadata>[] = [];
  for await (const event of watch.events) events.push(event);
  return events;
}

describe('a list', () => {
  it('is requested as metadata alone, in one namespace or in all', async () => {
    const body = {
      kind: 'PartialObjectMetadataList',
      metadata: { resourceVersion: '9', continue: 'next' },
      items: [partial('a')],
    };
    const gateway = scriptLists(body, body);
    const page = await watchSecretMetadata(gateway, codec, { namespace: 'team-a' }, itself).listPage(
      { limit: 500, maxBytes: 4_711, continueToken: 'token' },
      deadline,
    );
    expect(page).toMatchObject({ resourceVersion: '9', continueToken: 'next' });
    expect([...page.items]).toMatchObject([{ name: 'a' }]);
    await watchSecretMetadata(gateway, codec, { without: [] }, itself).listPage(
      { limit: 1, maxBytes: 4_711 },
      deadline,
    );
    expect(gateway.requests).toMatchObject([
      {
        verb: 'list',
        resource: SECRETS,
        namespace: 'team-a',
        query: { limit: '500', continue: 'token' },
        maxBytes: 4_711,
        asMetadata: true,
      },
      { verb: 'list', query: { limit: '1', continue: undefined } },
    ]);
    expect(gateway.requests[1]).toHaveProperty('namespace', undefined);
  });

  it('leaves out namespaces of the cluster by a field selector, beside one that there is', async () => {
    const lists = ['PartialObjectMetadataList', 'ConfigMapList', 'ConfigMapList'];
    const bodies = lists.map((kind) => ({ kind, metadata: { resourceVersion: '9' }, items: [] }));
    const gateway = scriptLists(...bodies);
    const page = { limit: 1, maxBytes: 4_711 };
    await watchSecretMetadata(gateway, codec, { without: ['x', 'y'] }, itself).listPage(page, deadline);
    await watchConfigMaps(gateway, 'rules', { without: ['x'] }, itself).listPage(page, deadline);
    await watchConfigMaps(gateway, 'rules', { namespace: 'a' }, itself).listPage(page, deadline);
    expect(gateway.requests.map(({ query }) => query?.['fieldSelector'])).toEqual([
      'metadata.namespace!=x,metadata.namespace!=y',
      'metadata.name=rules,metadata.namespace!=x',
      'metadata.name=rules',
    ]);
  });

  it('of whole Secrets is refused: what came is not what was requested', async () => {
    const body = { kind: 'SecretList', metadata: { resourceVersion: '9' }, items: [] };
    const gateway = scriptLists(body);
    const listed = watchSecretMetadata(gateway, codec, { without: [] }, itself).listPage(
      { limit: 1, maxBytes: 4_711 },
      deadline,
    );
    expect(await codeOf(listed)).toBe('unavailable');
  });
});

describe('a watch', () => {
  it('is requested with bookmarks, an end, and a revision to go on from', async () => {
    const gateway = streamGateway([]);
    const watch = await watchSecretMetadata(gateway, codec, { namespace: 'team-a' }, itself).watch(
      '5',
      300,
      never,
    );
    expect(gateway.requests).toEqual([
      {
        verb: 'watch',
        resource: SECRETS,
        namespace: 'team-a',
        query: {
          fieldSelector: undefined,
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion: '5',
          timeoutSeconds: '300',
        },
        asMetadata: true,
      },
    ]);
    expect(watch.silenceMs()).toBe(42);
  });

  it('brings what happened, in order', async () => {
    const events = await eventsOf(
      { type: 'ADDED', object: partial('a') },
      { type: 'MODIFIED', object: partial('a') },
      { type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata', metadata: { resourceVersion: '8' } } },
      { type: 'DELETED', object: partial('a') },
    );
    expect(events.map(({ kind }) => kind)).toEqual(['added', 'modified', 'bookmark', 'deleted']);
    expect(events[2]).toEqual({ kind: 'bookmark', resourceVersion: '8' });
  });

  it.each([
    [410, 'expired'],
    [403, 'rbacForbidden'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [504, 'unavailable'],
  ])('that says ERROR with code %i fails with %s', async (code, expected) => {
    const object = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Any', code };
    expect(await codeOf(eventsOf({ type: 'ERROR', object }))).toBe(expected);
  });

  it.each([
    ['no JSON', '{"type":"ADDED",'],
    ['an unknown type', { type: 'SYNCED', object: partial('a') }],
    ['a type that every object inherits', { type: 'constructor', object: partial('a') }],
    ['no object', { type: 'ADDED' }],
    ['a whole Secret', { type: 'ADDED', object: { ...partial('a'), kind: 'Secret' } }],
    ['a bookmark without a revision', { type: 'BOOKMARK', object: {} }],
    ['an error without a code', { type: 'ERROR', object: {} }],
  ])('that brings %s fails, and does not quote it', async (_what, frame) => {
    const failed = eventsOf(frame);
    expect(await codeOf(failed)).toBe('unavailable');
    await expect(failed).rejects.toThrow('The cluster gave an answer that cannot be used');
  });
});

describe('metadata', () => {
  it('keeps labels and annotations under whatever keys they have', () => {
    const labels = JSON.parse('{"__proto__":"p","constructor":"c"}') as object;
    expect(decodeMetadata(partial('a', { labels, annotations: { x: 'y' } }), codec)).toMatchObject({
      labels: new Map([
        ['__proto__', 'p'],
        ['constructor', 'c'],
      ]),
      annotations: new Map([['x', 'y']]),
      deletionTimestamp: undefined,
    });
  });

  it.each(['namespace', 'name', 'uid', 'resourceVersion', 'creationTimestamp'])(
    'needs a %s',
    async (part) => {
      const decoded = Promise.resolve().then(() =>
        decodeMetadata(partial('a', { [part]: undefined }), codec),
      );
      expect(await codeOf(decoded)).toBe('unavailable');
    },
  );
});
