import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../src/cluster/transport/call-record.ts';
import { createCluster } from '../../../src/cluster/cluster.ts';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { SECRETS } from '../../../src/cluster/objects/resources.ts';
import {
  openDevCluster,
  POLICY_NAME,
  type DevClusterFixture,
} from '../../contract/ports/dev-cluster-fixture.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { draftOf } from '../../fakes/fake-objects.ts';
import { codec } from '../../fakes/annotations.ts';

const deadline = unhurriedCall();
const records: CallRecord[] = [];
let fixture: DevClusterFixture;
let namespace: string;

beforeAll(async () => {
  fixture = await openDevCluster((record) => records.push(record));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  namespace = await fixture.addNamespace();
  records.length = 0;
});
afterEach(() => {
  fixture.dev.faults.clear();
});

const secretPath = () => `/api/v1/namespaces/${namespace}/secrets/a`;

describe('a write whose answer is lost', () => {
  it('is uncertain, was sent once, and had its effect', async () => {
    const fault = fixture.dev.faults.add({
      match: { verb: 'create' },
      action: { type: 'cut', when: 'after' },
    });
    expect(await codeOf(fixture.secrets.create(draftOf({ namespace, name: 'a' }), deadline))).toBe(
      'uncertain',
    );
    expect(fault.hits).toBe(1);
    expect(await fixture.secrets.read({ namespace, name: 'a' }, deadline)).toBeDefined();
  });

  it('is uncertain as well when the cluster did nothing', async () => {
    fixture.dev.faults.add({ match: { verb: 'create' }, action: { type: 'cut', when: 'before' } });
    expect(await codeOf(fixture.secrets.create(draftOf({ namespace, name: 'a' }), deadline))).toBe(
      'uncertain',
    );
    expect(await fixture.secrets.read({ namespace, name: 'a' }, deadline)).toBeUndefined();
  });
});

describe('an overloaded cluster', () => {
  it('gets a write again after 429, once it is ready', async () => {
    fixture.dev.faults.add({
      match: { verb: 'create' },
      times: 1,
      action: { type: 'status', status: 429, retryAfter: 1 },
    });
    await fixture.secrets.create(draftOf({ namespace, name: 'a' }), deadline);
    expect(records.map(({ verb, status, attempt }) => [verb, status, attempt])).toEqual([
      ['create', 429, 1],
      ['create', 201, 2],
    ]);
  });

  it('gets reads again after 500 and cut connections', async () => {
    fixture.dev.faults.add({ match: { verb: 'get' }, times: 1, action: { type: 'status', status: 500 } });
    fixture.dev.faults.add({ match: { verb: 'get' }, times: 1, action: { type: 'cut', when: 'midway' } });
    expect(await fixture.secrets.read({ namespace, name: 'a' }, deadline)).toBeUndefined();
    expect(records.at(-1)).toMatchObject({ outcome: 'notFound', status: 404 });
  });
});

describe('a replacement', () => {
  it('keeps fields that this service does not read', async () => {
    const metadata = {
      name: 'a',
      finalizers: ['service.io/hold'],
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-4000-8000-000000000001' },
      ],
      labels: { l: '1' },
    };
    const created = await fixture.admin('POST', `/api/v1/namespaces/${namespace}/secrets`, {
      metadata,
      data: { x: 'b25l' },
    });
    const current = await fixture.secrets.read({ namespace, name: 'a' }, deadline);
    if (current === undefined) throw new Error('the Secret should be there');
    await fixture.secrets.replace(current, { annotations: new Map([['n', '1']]) }, deadline);
    const after = (await fixture.admin('GET', secretPath())) as { metadata: Record<string, unknown> };
    expect(after.metadata).toMatchObject({ ...metadata, annotations: { n: '1' } });
    expect(after).toMatchObject({ data: { x: 'b25l' } });
    expect(created).toHaveProperty('metadata.uid', after.metadata['uid']);
    await fixture.release({ namespace, name: 'a' });
  });

  it('names the fields that the cluster rejected', async () => {
    const draft = draftOf({ namespace, name: 'a', type: 'kubernetes.io/tls' });
    await expect(fixture.secrets.create(draft, deadline)).rejects.toMatchObject({
      code: 'rejected',
      message: 'The cluster rejected the change as invalid: data[tls.crt], data[tls.key]',
    });
  });
});

describe('a service account', () => {
  async function robotCluster() {
    await fixture.admin('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
      metadata: { name: 'robot' },
    });
    const reply = (await fixture.admin(
      'POST',
      `/api/v1/namespaces/${namespace}/serviceaccounts/robot/token`,
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      },
    )) as { status: { token: string } };
    return clusterWith(reply.status.token);
  }

  function clusterWith(token: string) {
    const kubeconfig = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: fixture.dev.url } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
    const credentials = parseCredentials(kubeconfig);
    return createCluster({
      codec,
      credentials,
      policyName: POLICY_NAME,
      onCall: (record) => records.push(record),
    });
  }

  it('without rights learns that a right is missing, not which; the log does', async () => {
    const cluster = await robotCluster();
    const ref = { namespace, name: 'a' };
    await expect(cluster.secrets.read(ref, deadline)).rejects.toMatchObject({
      code: 'rbacForbidden',
      reason: 'rbacForbidden:get:secrets',
      message: expect.not.stringMatching(/secrets|robot|get/) as string,
    });
    expect(await codeOf(cluster.policies.read(namespace, deadline))).toBe('rbacForbidden');
    expect(await codeOf(cluster.namespaces.names(deadline))).toBe('rbacForbidden');
    expect(records.map(({ reason }) => reason)).toEqual([
      'rbacForbidden:get:secrets',
      'rbacForbidden:get:configmaps',
      'rbacForbidden:list:namespaces',
    ]);
    await cluster.close();
  });

  it('may probe the cluster without any rights', async () => {
    const cluster = await robotCluster();
    await expect(cluster.probe(deadline)).resolves.toBeUndefined();
    await cluster.close();
  });

  it('with a token that is none finds the cluster unavailable', async () => {
    const cluster = clusterWith('nonsense');
    await expect(cluster.probe(deadline)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'clusterCredentialsRefused',
    });
    await cluster.close();
  });
});

describe('a watch through the gateway', () => {
  it('delivers what happens, and ends when it is aborted', async () => {
    const { resourceVersion } = await fixture.secrets.listPage(
      namespace,
      { labelSelector: '', limit: 1, maxBytes: 10_000 },
      deadline,
    );
    const controller = new AbortController();
    const { lines } = await fixture.cluster.gateway.stream(
      { verb: 'watch', resource: SECRETS, namespace, query: { watch: 'true', resourceVersion } },
      controller.signal,
      (line) => (JSON.parse(line) as { type: unknown }).type,
    );
    await fixture.secrets.create(draftOf({ namespace, name: 'a' }), deadline);
    const types: unknown[] = [];
    for await (const type of lines) {
      types.push(type);
      controller.abort();
    }
    expect(types).toEqual(['ADDED']);
  });
});
