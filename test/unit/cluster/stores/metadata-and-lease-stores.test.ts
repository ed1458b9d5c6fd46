import { describe, expect, it } from 'vitest';
import { clusterError } from '../../../../src/cluster/transport/errors.ts';
import { createLeaseStore } from '../../../../src/cluster/stores/lease-store.ts';
import { LEASES, SECRETS } from '../../../../src/cluster/objects/resources.ts';
import { createSecretMetadataStore } from '../../../../src/cluster/stores/secret-store.ts';
import { unhurriedCall } from '../../../fakes/fake-call.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';
import { scriptGateway } from '../scripted-gateway.ts';
import { codec } from '../../../fakes/annotations.ts';

const deadline = unhurriedCall();
const REF = { namespace: 'team-a', name: 'db.v1' };
const JUDGED = { uid: 'u', resourceVersion: '7' };
const METADATA_REPLY = {
  kind: 'PartialObjectMetadata',
  metadata: { ...REF, uid: 'u', resourceVersion: '8', creationTimestamp: '2026-01-01T00:00:00Z' },
};

describe('the metadata store', () => {
  it('changes annotations of exactly one revision, and nothing else', async () => {
    const gateway = scriptGateway(METADATA_REPLY);
    const change = {
      labels: new Map([['service.io/kind', 'history']]),
      annotations: new Map([
        ['a', 'text'],
        ['b', undefined],
      ]),
    };
    const marked = await createSecretMetadataStore(gateway, codec).patchMetadata(
      REF,
      JUDGED,
      change,
      deadline,
    );
    expect(marked).toMatchObject({ uid: 'u', resourceVersion: '8' });
    expect(gateway.requests).toEqual([
      {
        verb: 'patch',
        resource: SECRETS,
        ...REF,
        contentType: 'application/merge-patch+json',
        asMetadata: true,
        body: {
          metadata: {
            ...JUDGED,
            labels: { 'service.io/kind': 'history' },
            annotations: { a: 'text', b: null },
          },
        },
      },
    ]);
  });

  it('takes an answer to a patch that makes no sense for an uncertain outcome', async () => {
    const gateway = scriptGateway({ kind: 'Secret' });
    await expect(
      createSecretMetadataStore(gateway, codec).patchMetadata(
        REF,
        JUDGED,
        { annotations: new Map([['a', 'b']]) },
        deadline,
      ),
    ).rejects.toMatchObject({ code: 'uncertain', reason: 'malformedMetadata' });
  });

  it('deletes exactly one revision', async () => {
    const gateway = scriptGateway({});
    await createSecretMetadataStore(gateway, codec).delete(REF, JUDGED, deadline);
    expect(gateway.requests[0]).toMatchObject({
      verb: 'delete',
      ...REF,
      body: { kind: 'DeleteOptions', preconditions: JUDGED },
    });
  });

  it('reads undefined only when the cluster said 404 for this very object', async () => {
    const gateway = scriptGateway(clusterError('notFound', 'absent'), clusterError('unavailable', 'x'));
    const store = createSecretMetadataStore(gateway, codec);
    expect(await store.read(REF, deadline)).toBeUndefined();
    expect(await codeOf(store.read(REF, deadline))).toBe('unavailable');
  });
});

describe('the Lease store', () => {
  const term = {
    holder: 'one',
    durationSeconds: 15,
    acquiredAt: Date.parse('2026-01-01T00:00:00.100Z'),
    renewedAt: Date.parse('2026-01-01T00:00:02.000Z'),
    transitions: 3,
  };
  const native = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: 'home', name: 'lease', resourceVersion: '9', annotations: { foreign: 'kept' } },
    spec: {
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.100000Z',
      renewTime: '2026-01-01T00:00:02.000000Z',
      leaseTransitions: 3,
      strategy: 'OldestEmulationVersion',
    },
  };

  it('writes times with the six digits that the cluster insists on', async () => {
    const gateway = scriptGateway(native);
    await createLeaseStore(gateway, { namespace: 'home', name: 'lease' }).create(
      term,
      new Map([['note', 'recorded']]),
      deadline,
    );
    expect(gateway.requests[0]).toMatchObject({
      verb: 'create',
      resource: LEASES,
      namespace: 'home',
      body: {
        metadata: { namespace: 'home', name: 'lease', annotations: { note: 'recorded' } },
        spec: { renewTime: '2026-01-01T00:00:02.000000Z' },
      },
    });
  });

  it('reads what it has written, and gives back what it does not know', async () => {
    const gateway = scriptGateway(native, native);
    const store = createLeaseStore(gateway, { namespace: 'home', name: 'lease' });
    const stored = await store.read(deadline);
    expect(stored).toMatchObject({ ...term, resourceVersion: '9' });
    if (stored !== undefined) await store.replace(stored, term, deadline);
    expect(gateway.requests[1]).toEqual({
      verb: 'update',
      resource: LEASES,
      namespace: 'home',
      name: 'lease',
      body: native,
    });
  });

  it('adds an annotation to the very object that it has read, and changes nothing else', async () => {
    const gateway = scriptGateway(native, native);
    const store = createLeaseStore(gateway, { namespace: 'home', name: 'lease' });
    const stored = await store.read(deadline);
    const annotations = { foreign: 'kept', note: 'recorded' };
    const annotated = stored && { ...stored, annotations: new Map(Object.entries(annotations)) };
    if (annotated !== undefined) await store.replace(annotated, annotated, deadline);
    expect(gateway.requests[1]).toEqual({
      verb: 'update',
      resource: LEASES,
      namespace: 'home',
      name: 'lease',
      body: { ...native, metadata: { ...native.metadata, annotations } },
    });
  });

  it('takes a Lease without a spec for one that no one holds', async () => {
    const store = createLeaseStore(scriptGateway({ metadata: { resourceVersion: '9' } }), {
      namespace: 'home',
      name: 'lease',
    });
    expect(await store.read(deadline)).toMatchObject({
      holder: '',
      durationSeconds: 0,
      renewedAt: 0,
      transitions: 0,
    });
  });

  it('reads undefined only when the cluster said 404 for this very Lease', async () => {
    const gateway = scriptGateway(clusterError('notFound', 'absent'), clusterError('rbacForbidden', 'x'));
    const store = createLeaseStore(gateway, { namespace: 'home', name: 'lease' });
    expect(await store.read(deadline)).toBeUndefined();
    expect(await codeOf(store.read(deadline))).toBe('rbacForbidden');
  });
});
