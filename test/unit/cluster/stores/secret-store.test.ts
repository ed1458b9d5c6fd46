import { describe, expect, it } from 'vitest';
import { clusterError } from '../../../../src/cluster/transport/errors.ts';
import { createSecretStore } from '../../../../src/cluster/stores/secret-store.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { draftOf } from '../../../fakes/fake-objects.ts';
import { scriptGateway } from '../scripted-gateway.ts';
import { codec } from '../../../fakes/annotations.ts';

const deadline = unhurriedCall();
const ref = { namespace: 'team-a', name: 'a' };
const native = {
  kind: 'Secret',
  metadata: { ...ref, uid: 'u-1', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' },
};
const page = { labelSelector: 'service.io/kind!=history', limit: 5, maxBytes: 999, continueToken: 'next' };

describe('createSecretStore', () => {
  it('reads undefined only when the gateway says notFound', async () => {
    const store = createSecretStore(
      scriptGateway(clusterError('notFound', 'absent'), clusterError('unavailable', 'notServed')),
      codec,
    );
    expect(await store.read(ref, deadline)).toBeUndefined();
    expect(await codeOf(store.read(ref, deadline))).toBe('unavailable');
  });

  it('requests a page by selector, limit and token, within its bytes', async () => {
    const gateway = scriptGateway({
      kind: 'SecretList',
      metadata: { resourceVersion: '9' },
      items: [native],
    });
    const answer = await createSecretStore(gateway, codec).listPage('team-a', page, deadline);
    expect(gateway.requests).toEqual([
      expect.objectContaining({
        verb: 'list',
        namespace: 'team-a',
        query: { labelSelector: 'service.io/kind!=history', limit: '5', continue: 'next' },
        maxBytes: 999,
      }),
    ]);
    expect(answer).toMatchObject({ resourceVersion: '9', continueToken: undefined });
    expect(answer.bytes).toBeGreaterThan(100);
  });

  it.each([
    ['another list', { kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items: [] }],
    ['a list without items', { kind: 'SecretList', metadata: { resourceVersion: '9' } }],
    ['a list without a revision', { kind: 'SecretList', metadata: {}, items: [] }],
    [
      'a token that is no text',
      { kind: 'SecretList', metadata: { resourceVersion: '9', continue: 1 }, items: [] },
    ],
    ['a malformed item', { kind: 'SecretList', metadata: { resourceVersion: '9' }, items: [native, {}] }],
    [
      "another namespace's item",
      {
        kind: 'SecretList',
        metadata: { resourceVersion: '9' },
        items: [{ ...native, metadata: { ...native.metadata, namespace: 'team-b' } }],
      },
    ],
  ])('never takes %s for a page', async (_what, body) => {
    const store = createSecretStore(scriptGateway(body), codec);
    const all = store.listPage('team-a', page, deadline).then(({ items }) => [...items]);
    expect(await codeOf(all)).toBe('unavailable');
  });

  it('reads a list without elements, which Go writes as null, as empty', async () => {
    const body = { kind: 'SecretList', metadata: { resourceVersion: '9', continue: '' }, items: null };
    const answer = await createSecretStore(scriptGateway(body), codec).listPage('team-a', page, deadline);
    expect([...answer.items]).toEqual([]);
    expect(answer.continueToken).toBeUndefined();
  });

  it('is uncertain about a write whose good answer makes no sense, though it has had all of its effect', async () => {
    const store = createSecretStore(scriptGateway(native, {}, { ...native, metadata: {} }), codec);
    const current = await store.read(ref, deadline);
    if (current === undefined) throw new Error('the script gives a Secret');
    const uncertain = { code: 'uncertain', isOver: true };
    await expect(store.create(draftOf(ref), deadline)).rejects.toMatchObject(uncertain);
    await expect(store.replace(current, { annotations: new Map() }, deadline)).rejects.toMatchObject(
      uncertain,
    );
  });

  describe('without the right to patch', () => {
    const forbidden = clusterError('rbacForbidden', 'rbacForbidden:patch:secrets');
    const labelled = { ...native, metadata: { ...native.metadata, labels: { kind: 'history' } } };
    const preconditions = { uid: 'u-1', resourceVersion: '7' };
    const annotations = new Map([['note', 'x']]);
    const change = (gateway: ReturnType<typeof scriptGateway>, labels: Map<string, string | undefined>) =>
      createSecretStore(gateway, codec).patchMetadata(ref, preconditions, { labels, annotations }, deadline);

    it('replaces the annotations where the labels are as wanted already', async () => {
      const gateway = scriptGateway(forbidden, labelled, labelled);
      const labels = new Map([
        ['kind', 'history'],
        ['final', undefined],
      ]);
      expect(await change(gateway, labels)).toMatchObject({ uid: 'u-1' });
      expect(gateway.requests.map(({ verb }) => verb)).toEqual(['patch', 'get', 'update']);
      expect(gateway.requests[2]?.body).toMatchObject({
        metadata: { ...preconditions, labels: { kind: 'history' }, annotations: { note: 'x' } },
      });
    });

    it.each([
      ['revision', { resourceVersion: '8' }],
      ['UID', { uid: 'u-2' }],
    ])('replaces nothing where the Secret has another %s by then', async (_what, changed) => {
      const other = { ...labelled, metadata: { ...labelled.metadata, ...changed } };
      const gateway = scriptGateway(forbidden, other);
      expect(await codeOf(change(gateway, new Map()))).toBe('conflict');
      expect(gateway.requests.map(({ verb }) => verb)).toEqual(['patch', 'get']);
    });

    it.each([
      ['added', 'final', 'true'],
      ['another', 'kind', 'live'],
      ['removed', 'kind', undefined],
    ])('replaces nothing where a label would be %s', async (_what, name, text) => {
      const gateway = scriptGateway(forbidden, labelled);
      expect(await codeOf(change(gateway, new Map([[name, text]])))).toBe('rbacForbidden');
      expect(gateway.requests.map(({ verb }) => verb)).toEqual(['patch', 'get']);
    });
  });

  it('deletes under both preconditions, which go into the body', async () => {
    const gateway = scriptGateway({ kind: 'Status', status: 'Success' });
    await createSecretStore(gateway, codec).delete(ref, { uid: 'u-1', resourceVersion: '7' }, deadline);
    expect(gateway.requests).toEqual([
      expect.objectContaining({
        verb: 'delete',
        ...ref,
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid: 'u-1', resourceVersion: '7' },
        },
      }),
    ]);
    expect(gateway.requests[0]?.query).toBeUndefined();
  });
});
