import { describe, expect, it } from 'vitest';
import { at, listAt, textAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { eventText, namesOf, secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

describe('a request with dryRun=All', () => {
  it('answers as if, and changes nothing', async () => {
    const { client } = await start();
    expect((await client.post(`${SECRETS}?dryRun=All`, secretBody('a'))).status).toBe(201);
    expect((await client.get(`${SECRETS}/a`)).status).toBe(404);
    const stored = await client.post(SECRETS, secretBody('a'));
    const replaced = await client.put(`${SECRETS}/a?dryRun=All`, {
      metadata: { name: 'a' },
      data: { n: 'dg==' },
    });
    expect(replaced.body).toMatchObject({ data: { n: 'dg==' } });
    expect((await client.delete(`${SECRETS}/a`, { dryRun: ['All'] })).status).toBe(200);
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(stored.body);
    expect((await client.post(`${SECRETS}?dryRun=Some`, secretBody('b'))).status).toBe(422);
  });
});

describe('unknown fields', () => {
  const body: Json = { metadata: { name: 'a', colour: 'red' }, nonsense: 1 };

  it('are warned of', async () => {
    const { client } = await start();
    const { status, headers } = await client.post(SECRETS, body);
    expect(status).toBe(201);
    expect(headers.get('warning')).toContain('299 - "unknown field \\"nonsense\\""');
    expect(headers.get('warning')).toContain('299 - "unknown field \\"metadata.colour\\""');
  });

  it('are refused under fieldValidation=Strict, and passed over under Ignore', async () => {
    const { client } = await start();
    const refused = await client.post(`${SECRETS}?fieldValidation=Strict`, body);
    expect(refused.status).toBe(400);
    expect(textAt(refused.body, 'message')).toContain('strict decoding error');
    const taken = await client.post(`${SECRETS}?fieldValidation=Ignore`, body);
    expect(taken.status).toBe(201);
    expect(taken.headers.get('warning')).toBeNull();
  });
});

describe('media types', () => {
  it.each(['application/cbor', 'application/yaml', 'text/plain'])('%s is 415 in a body', async (type) => {
    const { client } = await start();
    const refused = await client.send('POST', SECRETS, { body: 'x', headers: { 'content-type': type } });
    expect(refused.status).toBe(415);
  });

  it('apply patches in CBOR are 415', async () => {
    const { client } = await start();
    await client.post(SECRETS, secretBody('a'));
    expect((await client.patch(`${SECRETS}/a`, {}, 'application/apply-patch+cbor')).status).toBe(415);
  });

  it('an answer in nothing but protobuf is 406, and in tables falls back to JSON', async () => {
    const { client } = await start();
    const accept = (value: string) => client.send('GET', SECRETS, { headers: { accept: value } });
    expect((await accept('application/vnd.kubernetes.protobuf')).status).toBe(406);
    const table = await accept('application/json;as=Table;v=v1;g=meta.k8s.io,application/json');
    expect(table.body).toMatchObject({ kind: 'SecretList' });
  });
});

describe('a write', () => {
  it('under the uid of an object that is gone is a conflict, not an absence', async () => {
    const { client } = await start();
    const body = secretBody('a', { uid: '00000000-0000-0000-0000-000000000000' });
    const refused = await client.put(`${SECRETS}/a`, body);
    expect(refused.status).toBe(409);
    expect(textAt(refused.body, 'message')).toMatch(/UID in object meta: $/);
  });

  it('of a Secret whose type it leaves out is a change of its type', async () => {
    const { client } = await start();
    await client.post(SECRETS, { metadata: { name: 'a' }, type: 'custom', data: {} });
    expect((await client.put(`${SECRETS}/a`, secretBody('a'))).status).toBe(422);
  });

  it('by a patch of the wrong type is 422', async () => {
    const { client } = await start();
    await client.post(SECRETS, secretBody('a'));
    const refused = await client.patch(`${SECRETS}/a`, { data: { k: 1 } });
    expect(refused.status).toBe(422);
    expect(textAt(refused.body, 'details', 'causes')).toBe('');
    expect(listAt(refused.body, 'details', 'causes')).toMatchObject([{ field: 'patch' }]);
  });

  it('cannot change what only the cluster sets', async () => {
    const { client } = await start();
    const created = await client.post(SECRETS, secretBody('a'));
    for (const change of [
      { uid: 'x' },
      { creationTimestamp: '2020-01-01T00:00:00Z' },
      { deletionTimestamp: '2020-01-01T00:00:00Z' },
    ]) {
      expect((await client.patch(`${SECRETS}/a`, { metadata: change })).status).toBe(422);
    }
    expect((await client.get(`${SECRETS}/a`)).body).toEqual(created.body);
  });

  it('that brings its own revision to a new object is refused', async () => {
    const { client } = await start();
    expect((await client.post(SECRETS, secretBody('a', { resourceVersion: '1' }))).status).toBe(500);
  });

  it('goes on to count after a deletion: no revision is given twice', async () => {
    const { client } = await start();
    const revisions: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await client.post(SECRETS, secretBody('a'));
      revisions.push(Number(textAt(body, 'metadata', 'resourceVersion')));
      await client.delete(`${SECRETS}/a`, {});
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  });

  it('of 50 clients at once lets exactly one of each revision win', async () => {
    const { client } = await start();
    const { body } = await client.post(SECRETS, secretBody('a'));
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion');
    const writes = Array.from({ length: 50 }, (_, index) =>
      client.put(`${SECRETS}/a`, secretBody('a', { resourceVersion, labels: { by: String(index) } })),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });
});

describe('a Lease', () => {
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const lease = (renewTime: string, extra: Json = {}): Json => ({
    metadata: { name: 'l', ...(extra as object) },
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime },
  });

  it('takes times of six fractional digits only', async () => {
    const { client } = await start();
    expect((await client.post(LEASES, lease('2026-01-01T00:00:00.000Z'))).status).toBe(400);
    expect((await client.post(LEASES, lease('2026-01-01T00:00:00Z'))).status).toBe(400);
    const taken = await client.post(LEASES, lease('2026-01-01T00:00:00.123456Z'));
    expect(textAt(taken.body, 'spec', 'renewTime')).toBe('2026-01-01T00:00:00.123456Z');
  });

  it('is only replaced under a revision, and made by PUT when it is absent', async () => {
    const { client } = await start();
    const made = await client.put(`${LEASES}/l`, lease('2026-01-01T00:00:00.000000Z'));
    expect(made.status).toBe(201);
    expect((await client.put(`${LEASES}/l`, lease('2026-01-01T00:00:01.000000Z'))).status).toBe(422);
    const resourceVersion = textAt(made.body, 'metadata', 'resourceVersion');
    expect(
      (await client.put(`${LEASES}/l`, lease('2026-01-01T00:00:01.000000Z', { resourceVersion }))).status,
    ).toBe(200);
  });
});

describe('a collection', () => {
  it('is deleted as far as the selector reaches', async () => {
    const { client } = await start();
    await client.post(SECRETS, secretBody('a', { labels: { l: '1' } }));
    await client.post(SECRETS, secretBody('b', { labels: { l: '2' } }));
    const answer = await client.delete(`${SECRETS}?labelSelector=l%3D1`, {});
    expect(answer.status).toBe(200);
    expect(namesOf(answer.body)).toEqual(['a']);
    expect(namesOf((await client.get(SECRETS)).body)).toEqual(['b']);
  });
});

describe('a namespace', () => {
  const NAMESPACES = '/api/v1/namespaces';

  it('takes its contents with it, and waits for their finalizers', async () => {
    const { client } = await start();
    const secrets = `${NAMESPACES}/team/secrets`;
    await client.post(NAMESPACES, { metadata: { name: 'team' } });
    await client.post(secrets, secretBody('free'));
    await client.post(secrets, secretBody('held', { finalizers: ['example.com/hold'] }));
    const watch = await client.watch(
      `${secrets}?watch=true&resourceVersion=${textAt((await client.get(secrets)).body, 'metadata', 'resourceVersion')}`,
    );
    const namespaces = await client.watch(`${NAMESPACES}?watch=true&fieldSelector=metadata.name%3Dteam`);
    const deleted = await client.delete(`${NAMESPACES}/team`, {});
    expect(deleted.body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect((await watch.take(2)).map(eventText).sort()).toEqual(['DELETED free', 'MODIFIED held']);
    const refused = await client.post(secrets, secretBody('late'));
    expect(refused.status).toBe(403);
    expect(listAt(refused.body, 'details', 'causes')).toMatchObject([{ reason: 'NamespaceTerminating' }]);
    await client.patch(`${secrets}/held`, { metadata: { finalizers: null } });
    expect((await namespaces.take(3)).map(eventText)).toEqual([
      'ADDED team',
      'MODIFIED team',
      'DELETED team',
    ]);
    expect((await client.get(`${NAMESPACES}/team`)).status).toBe(404);
    await Promise.all([watch.close(), namespaces.close()]);
  });

  it('is emptied in steps, kind by kind, where that takes time', async () => {
    const { client } = await start({ namespaceStepMs: 1 });
    await client.post(NAMESPACES, { metadata: { name: 'team' } });
    await client.post(`${NAMESPACES}/team/secrets`, secretBody('a'));
    await client.post(`${NAMESPACES}/team/configmaps`, { metadata: { name: 'c' } });
    const namespaces = await client.watch(`${NAMESPACES}?watch=true&fieldSelector=metadata.name%3Dteam`);
    await client.delete(`${NAMESPACES}/team`, {});
    const events = await namespaces.take(4);
    expect(events.map(eventText)).toEqual(['ADDED team', 'MODIFIED team', 'MODIFIED team', 'DELETED team']);
    const [, terminating, finalized] = events.map((event) => at(event, 'object'));
    expect(terminating).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    });
    expect(finalized).toMatchObject({ spec: { finalizers: [] } });
    await namespaces.close();
  });

  it('that the cluster needs cannot be deleted', async () => {
    const { client } = await start();
    expect((await client.delete(`${NAMESPACES}/default`, {})).status).toBe(403);
  });

  it('has the name of a DNS label', async () => {
    const { client } = await start();
    expect((await client.post(NAMESPACES, { metadata: { name: 'a.b' } })).status).toBe(422);
  });
});

describe('a Deployment', () => {
  const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
  const body: Json = {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          containers: [
            { name: 'a', image: 'i' },
            { name: 'b', image: 'j' },
          ],
        },
      },
    },
  };

  it('counts the generations of its spec', async () => {
    const { client } = await start();
    expect(at((await client.post(DEPLOYMENTS, body)).body, 'metadata', 'generation')).toBe(1);
    const labelled = await client.patch(`${DEPLOYMENTS}/web`, { metadata: { labels: { x: 'y' } } });
    expect(at(labelled.body, 'metadata', 'generation')).toBe(1);
    const scaled = await client.patch(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } });
    expect(at(scaled.body, 'metadata', 'generation')).toBe(2);
  });

  it('has its containers merged by name in a strategic merge patch', async () => {
    const { client } = await start();
    await client.post(DEPLOYMENTS, body);
    const change = {
      spec: { template: { spec: { containers: [{ name: 'b', env: [{ name: 'E', value: 'v' }] }] } } },
    };
    const type = 'application/strategic-merge-patch+json';
    const { body: patched } = await client.patch(`${DEPLOYMENTS}/web`, change, type);
    expect(listAt(patched, 'spec', 'template', 'spec', 'containers')).toMatchObject([
      { name: 'a', image: 'i' },
      { name: 'b', image: 'j', env: [{ name: 'E', value: 'v' }] },
    ]);
  });

  it('must select its own pods', async () => {
    const { client } = await start();
    const other = JSON.parse(
      JSON.stringify(body).replace('"matchLabels":{"app":"web"}', '"matchLabels":{"app":"no"}'),
    ) as Json;
    expect((await client.post(DEPLOYMENTS, other)).status).toBe(422);
  });
});

describe('paths', () => {
  it.each([
    ['PUT', SECRETS, 405],
    ['POST', `${SECRETS}/a`, 405],
    ['POST', '/api/v1/secrets', 405],
    ['DELETE', '/api/v1/namespaces', 405],
    ['GET', `${SECRETS}/a/status`, 404],
    ['GET', '/apis/apps/v1/secrets', 404],
    ['GET', '/apis/apps/v2/deployments', 404],
    ['GET', '/nowhere', 404],
  ])('%s %s is %i', async (method, path, status) => {
    const { client } = await start();
    const body = method === 'POST' || method === 'PUT' ? { body: secretBody('a') } : {};
    expect((await client.send(method, path, body)).status).toBe(status);
  });
});
