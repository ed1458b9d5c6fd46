import { describe, expect, it } from 'vitest';
import { clusterError } from '../../../../src/cluster/transport/errors.ts';
import { createNamespaceStore } from '../../../../src/cluster/stores/namespace-store.ts';
import { createPolicyStore } from '../../../../src/cluster/stores/policy-store.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { scriptGateway } from '../scripted-gateway.ts';
import type { Requests } from '../../../../src/cluster/stores/objects.ts';
import { parseList } from '../../../../src/cluster/transport/parse-list.ts';

const deadline = unhurriedCall();

function configMap(namespace: string, more: object = {}, name = 'service-policy') {
  return { metadata: { namespace, name, uid: 'uid-a', resourceVersion: '7' }, ...more };
}

function listOf(kind: string, items: readonly unknown[], token?: string) {
  return { kind, metadata: { resourceVersion: '9', ...(token !== undefined && { continue: token }) }, items };
}

describe('createPolicyStore', () => {
  it('reads undefined only when the gateway says notFound', async () => {
    const gateway = scriptGateway(
      clusterError('notFound', 'absent'),
      clusterError('rbacForbidden', 'rbacForbidden'),
    );
    const store = createPolicyStore(gateway, 'service-policy');
    expect(await store.read('team-a', deadline)).toBeUndefined();
    expect(await codeOf(store.read('team-a', deadline))).toBe('rbacForbidden');
  });

  it.each([
    ['no metadata', {}],
    ['another name', configMap('team-a', {}, 'other')],
    ['another namespace', configMap('team-b')],
    ['another kind', configMap('team-a', { kind: 'Secret' })],
    ['a value that is no text', configMap('team-a', { data: { allowedGroups: [] } })],
    ['data that is no map', configMap('team-a', { data: 'x' })],
  ])('takes a policy with %s for no answer at all', async (_what, body) => {
    const store = createPolicyStore(scriptGateway(body), 'service-policy');
    expect(await codeOf(store.read('team-a', deadline))).toBe('unavailable');
  });

  it('reads the policies of all namespaces over all pages, by name', async () => {
    const gateway = scriptGateway(
      listOf('ConfigMapList', [configMap('team-a', { data: { allowedGroups: '[]' } })], 'next'),
      listOf('ConfigMapList', [configMap('team-b')]),
    );
    const policies = await createPolicyStore(gateway, 'service-policy').readAll(deadline);
    expect(policies.map(({ namespace }) => namespace)).toEqual(['team-a', 'team-b']);
    expect(
      gateway.requests.map(({ namespace, query }) => [
        namespace,
        query?.['fieldSelector'],
        query?.['continue'],
      ]),
    ).toEqual([
      [undefined, 'metadata.name=service-policy', undefined],
      [undefined, 'metadata.name=service-policy', 'next'],
    ]);
  });

  it('starts over when the list expires between two pages, and mixes no states', async () => {
    const gateway = scriptGateway(
      listOf('ConfigMapList', [configMap('team-a')], 'next'),
      clusterError('expired', 'clusterExpired'),
      listOf('ConfigMapList', [configMap('team-b')]),
    );
    const policies = await createPolicyStore(gateway, 'service-policy').readAll(deadline);
    expect(policies.map(({ namespace }) => namespace)).toEqual(['team-b']);
    expect(gateway.requests.at(-1)?.query?.['continue']).toBeUndefined();
  });

  it('gives up on a list that expires again and again', async () => {
    const expired = clusterError('expired', 'clusterExpired');
    const gateway = scriptGateway(expired, expired, expired);
    expect(await codeOf(createPolicyStore(gateway, 'service-policy').readAll(deadline))).toBe('expired');
  });

  it('gives up when policies of a mebibyte each would fill the memory', async () => {
    const data = { note: 'x'.repeat(1_048_576) };
    let pages = 0;
    const request: Requests['request'] = ({ maxBytes = 0 }) => {
      pages++;
      const body = Buffer.from(
        JSON.stringify(listOf('ConfigMapList', [configMap('a', { data })], `${pages}`)),
      );
      if (body.byteLength > maxBytes)
        return Promise.reject(clusterError('responseTooLarge', 'responseTooLarge'));
      return Promise.resolve({ status: 200, body: {}, ...parseList(body), bytes: body.byteLength });
    };
    expect(await codeOf(createPolicyStore({ request }, 'service-policy').readAll(deadline))).toBe(
      'responseTooLarge',
    );
    expect(pages).toBe(128);
  });

  it('fails as a whole when one page fails', async () => {
    const gateway = scriptGateway(
      listOf('ConfigMapList', [configMap('team-a')], 'next'),
      clusterError('unavailable', 'clusterTimeout'),
    );
    expect(await codeOf(createPolicyStore(gateway, 'service-policy').readAll(deadline))).toBe('unavailable');
  });

  it('gives up on a list without end', async () => {
    const endless = Array.from({ length: 501 }, (_page, index) =>
      listOf('ConfigMapList', [], `next-${index}`),
    );
    const gateway = scriptGateway(...endless);
    expect(await codeOf(createPolicyStore(gateway, 'service-policy').readAll(deadline))).toBe(
      'responseTooLarge',
    );
    expect(gateway.requests).toHaveLength(500);
  });

  it('gives up on more objects than it may keep', async () => {
    const page = Array.from({ length: 25_001 }, () => configMap('team-a'));
    const gateway = scriptGateway(listOf('ConfigMapList', page, 'next'), listOf('ConfigMapList', page));
    expect(await codeOf(createPolicyStore(gateway, 'service-policy').readAll(deadline))).toBe(
      'responseTooLarge',
    );
  });

  it('takes pages of two revisions, and a list that does not advance, for no answer', async () => {
    const changed = { ...listOf('ConfigMapList', []), metadata: { resourceVersion: '10' } };
    const stuck = () => listOf('ConfigMapList', [], 'same');
    for (const pages of [
      [listOf('ConfigMapList', [], 'next'), changed],
      [stuck(), stuck()],
    ]) {
      const store = createPolicyStore(scriptGateway(...pages), 'service-policy');
      expect(await codeOf(store.readAll(deadline))).toBe('listInconsistent');
    }
  });

  it('requests fewer when a page is too large', async () => {
    const tooLarge = clusterError('responseTooLarge', 'responseTooLarge');
    const gateway = scriptGateway(tooLarge, listOf('ConfigMapList', [configMap('team-a')]));
    expect(await createPolicyStore(gateway, 'service-policy').readAll(deadline)).toHaveLength(1);
    expect(gateway.requests.map(({ query }) => query?.['limit'])).toEqual(['500', '62']);
  });
});

describe('createNamespaceStore', () => {
  it('names all namespaces from their metadata, but for those that are being deleted', async () => {
    const item = (name: string, more: object = {}) => ({
      metadata: { name, uid: `u-${name}`, resourceVersion: '1', ...more },
    });
    const gone = item('gone', { deletionTimestamp: '2026-01-02T03:04:05Z' });
    const gateway = scriptGateway(
      listOf('PartialObjectMetadataList', [item('one'), gone], 'next'),
      listOf('PartialObjectMetadataList', [item('two')]),
    );
    expect(await createNamespaceStore(gateway).names(deadline)).toEqual(['one', 'two']);
    expect(gateway.requests[0]?.asMetadata).toBe(true);
  });

  it('takes a namespace without a name for no answer at all', async () => {
    const gateway = scriptGateway(listOf('PartialObjectMetadataList', [{ metadata: {} }]));
    expect(await codeOf(createNamespaceStore(gateway).names(deadline))).toBe('unavailable');
  });
});
