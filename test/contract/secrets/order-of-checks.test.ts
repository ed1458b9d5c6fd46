import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEVELOPER_A, sessionCookie, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { text, OVER_16_MIB, json, OVER_1_MIB, DENYING_POLICY, openOrderFixture } from './order-fixture.ts';
import { eventually } from '../../harness/eventually.ts';
import { createWorkloadsClient, usingEnv } from '../../harness/workloads.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';

const { here, scoped } = openOrderFixture();

describe('named routes', () => {
  let name: string;
  let next = 0;
  beforeEach(async () => {
    name = `named-${++next}`;
    await here.stack.kube.removePolicy(here.namespace);
  });

  /** The checks that all named routes share, up to the access decision; what is sent has everything wrong. */
  async function commonChecks(
    send: (client: ApiClient, namespace: string, name: string) => Promise<ApiAnswer>,
  ): Promise<void> {
    errorOf(await send(scoped.anonymous, 'Bad_Name', 'Bad_Name'), 401);
    expect(errorOf(await send(scoped.developer, 'Bad_Name', 'Bad_Name'), 400)).toMatch(/^namespace must/);
    expect(errorOf(await send(scoped.developer, scoped.outside, 'Bad_Name'), 400)).toMatch(/^name must/);
    expect(errorOf(await send(scoped.developer, scoped.outside, name), 403)).toMatch(/scope/);
    expect(errorOf(await send(scoped.admin, scoped.outside, name), 403)).toMatch(/scope/);
  }

  /** Bodies of which each is refused for something of its own, were it read. */
  const BAD_BODIES = [
    ['another type, and too long', text(OVER_16_MIB), 415],
    ['too long', json(OVER_16_MIB), 413],
    ['too deep', json('['.repeat(65)), 413],
    ['malformed', json('{'), 400],
  ] as const;

  /** Whatever the body is, it does not come before these answers. */
  async function expectBeforeAnyBody(status: number, method: string, path: string): Promise<void> {
    for (const [what, body] of BAD_BODIES)
      expect((await scoped.developer.send(method, path, body)).status, what).toBe(status);
  }

  async function expectBodyChecks(method: string, path: string): Promise<void> {
    for (const [what, body, status] of BAD_BODIES)
      expect((await scoped.developer.send(method, path, body)).status, what).toBe(status);
  }

  it('PUT checks visibility, access, body, fields, recovery right, data size, revision, then what the Secret allows', async () => {
    const path = secretsPath(here.namespace, name);
    const allWrong = { resourceVersion: '0', data: { a: OVER_1_MIB, 'b b': '' }, recoverCounter: true };
    await commonChecks((client, ns, secret) => client.send('PUT', secretsPath(ns, secret), text('{')));
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    await expectBeforeAnyBody(404, 'PUT', path);
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, { a: 'b' }, { immutable: true, type: 'platform.io/tls' }),
    );
    const before = await stateOf(here.stack.kube, here.namespace);
    await expectBeforeAnyBody(503, 'PUT', path);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    await expectBeforeAnyBody(403, 'PUT', path);
    await here.stack.kube.removePolicy(here.namespace);
    await expectBodyChecks('PUT', path);
    errorOf(await scoped.developer.put(path, allWrong), 400);
    const fieldsRight = { ...allWrong, data: { a: OVER_1_MIB } };
    expect(errorOf(await scoped.developer.put(path, fieldsRight), 403)).toMatch(/admin/);
    const allowed = { ...fieldsRight, recoverCounter: false };
    errorOf(await scoped.developer.put(path, allowed), 413);
    const small = { ...allowed, data: { a: 'changed' } };
    expect(errorOf(await scoped.developer.put(path, small), 409)).toMatch(/reload/);
    const { resourceVersion } = secretOf(await scoped.developer.get(path));
    expect(errorOf(await scoped.developer.put(path, { ...small, resourceVersion }), 422)).toMatch(
      /immutable/,
    );
    expect(errorOf(await scoped.developer.put(path, { resourceVersion, data: { a: 'b' } }), 422)).toMatch(
      /tls/,
    );
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('PATCH checks visibility, access, body, fields, data size, revision, then what the Secret allows', async () => {
    const path = secretsPath(here.namespace, name);
    const allWrong = { resourceVersion: '0', set: { a: OVER_1_MIB, 'b b': '' }, remove: ['absent'] };
    await commonChecks((client, ns, secret) => client.send('PATCH', secretsPath(ns, secret), text('{')));
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    await expectBeforeAnyBody(404, 'PATCH', path);
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, { a: 'b', c: Uint8Array.of(0) }, { immutable: true, type: 'platform.io/tls' }),
    );
    const before = await stateOf(here.stack.kube, here.namespace);
    await expectBeforeAnyBody(503, 'PATCH', path);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    await expectBeforeAnyBody(403, 'PATCH', path);
    await here.stack.kube.removePolicy(here.namespace);
    await expectBodyChecks('PATCH', path);
    errorOf(await scoped.developer.patch(path, allWrong), 400);
    const fieldsRight = { ...allWrong, set: { a: OVER_1_MIB } };
    errorOf(await scoped.developer.patch(path, fieldsRight), 413);
    const small = { ...fieldsRight, set: { a: 'changed' } };
    expect(errorOf(await scoped.developer.patch(path, small), 409)).toMatch(/reload/);
    const { resourceVersion } = secretOf(await scoped.developer.get(path));
    expect(errorOf(await scoped.developer.patch(path, { ...small, resourceVersion }), 422)).toMatch(
      /^remove /,
    );
    const present = { set: { a: 'changed' }, resourceVersion };
    expect(errorOf(await scoped.developer.patch(path, present), 422)).toMatch(/immutable/);
    expect(errorOf(await scoped.developer.patch(path, { set: { a: 'b' }, resourceVersion }), 422)).toMatch(
      /tls/,
    );
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it('POST …/restore checks visibility, access, body, fields, recovery right, revision, then the version', async () => {
    const path = secretsPath(here.namespace, name, 'restore');
    const allWrong = { resourceVersion: '0', version: 'one', recoverCounter: true };
    await commonChecks((client, ns, secret) =>
      client.send('POST', secretsPath(ns, secret, 'restore'), text('{')),
    );
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    await expectBeforeAnyBody(404, 'POST', path);
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }));
    const before = await stateOf(here.stack.kube, here.namespace);
    await expectBeforeAnyBody(403, 'POST', path);
    await here.stack.kube.removePolicy(here.namespace);
    await expectBodyChecks('POST', path);
    expect(errorOf(await scoped.developer.post(path, allWrong), 400)).toMatch(/^version /);
    expect(errorOf(await scoped.developer.post(path, { ...allWrong, version: 9 }), 403)).toMatch(/admin/);
    errorOf(await scoped.developer.post(path, { resourceVersion: '0', version: 9 }), 409);
    const { resourceVersion } = secretOf(await scoped.developer.get(secretsPath(here.namespace, name)));
    errorOf(await scoped.developer.post(path, { resourceVersion, version: 9 }), 404);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
  });

  it.each([
    ['GET', undefined],
    ['GET', 'versions'],
    ['GET', 'versions/1'],
    ['GET', 'access'],
    ['GET', 'consumers'],
    ['POST', 'restart'],
    ['DELETE', undefined],
  ])('%s …/:name/%s checks session, path, scope, visibility, access', async (method, below) => {
    const path = secretsPath(here.namespace, name, below);
    await commonChecks((client, ns, secret) => client.send(method, secretsPath(ns, secret, below)));
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await scoped.developer.send(method, path), 404);
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name));
    errorOf(await scoped.developer.send(method, path), 403);
    await here.stack.kube.setPolicy(here.namespace, { allowedUsers: '[""]' });
    errorOf(await scoped.developer.send(method, path), 503);
  });

  it('POST …/restart checks visibility, access, then a body that is there', async () => {
    const path = secretsPath(here.namespace, name, 'restart');
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    await expectBeforeAnyBody(404, 'POST', path);
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name));
    await expectBeforeAnyBody(403, 'POST', path);
    await here.stack.kube.removePolicy(here.namespace);
    await expectBodyChecks('POST', path);
    jsonOf(await scoped.developer.send('POST', path), 200);
  });

  describe('while a body arrives', () => {
    /** Sends the head and a byte of the body, then `meanwhile` happens, then the rest. */
    async function sendSlowly(
      method: string,
      path: string,
      body: unknown,
      meanwhile: () => Promise<unknown>,
    ) {
      const bytes = Buffer.from(JSON.stringify(body));
      const before = here.stack.dev.requests.last;
      const { hostname, port } = new URL(scoped.url);
      const outgoing = request({
        hostname,
        port,
        method,
        path,
        headers: {
          cookie: await sessionCookie(DEVELOPER_A),
          'content-type': 'application/json',
          'content-length': bytes.byteLength,
        },
      });
      outgoing.write(bytes.subarray(0, 1));
      await eventually(async () => {
        const metrics = await (await fetch(`${scoped.opsUrl}/metrics`)).text();
        expect(metrics).toContain('\nservice_request_body_bytes 1\n');
      });
      const requests = here.stack.dev.requests.list(before);
      expect(
        requests.filter(({ name: of }) => of === name),
        'nothing is read yet',
      ).toEqual([]);
      await meanwhile();
      outgoing.end(bytes.subarray(1));
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      await incoming.resume().toArray();
      return incoming.statusCode;
    }
    const change = (rules: object) => async () => {
      const path = secretsPath(here.namespace, name);
      const { resourceVersion } = secretOf(await scoped.admin.get(path));
      secretOf(await scoped.admin.put(path, { resourceVersion, ...rules }));
    };
    const remove = () => here.stack.kube.deleteSecret(here.namespace, name);
    const CLOSED = { allowedUsers: ['someone-else@example.com'] };

    it.runIf(ON_DEV_CLUSTER).each([
      ['is changed', change({ description: 'changed' }), 409],
      ['is closed to the sender', change(CLOSED), 403],
      ['is deleted', remove, 404],
    ])('a Secret that %s is not written', async (_what, meanwhile, status) => {
      const created = await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }));
      const body = { resourceVersion: created.metadata.resourceVersion, data: { a: 'late' } };
      expect(await sendSlowly('PUT', secretsPath(here.namespace, name), body, meanwhile)).toBe(status);
      const now = await here.stack.kube.getSecret(here.namespace, name);
      expect(now?.data?.['a']).toBe(status === 404 ? undefined : created.data?.['a']);
    });

    it.runIf(ON_DEV_CLUSTER).each([
      ['is closed to the sender', change(CLOSED), 403],
      ['is deleted', remove, 404],
    ])('a Secret that %s is not restarted for', async (_what, meanwhile, status) => {
      const credentials = loadCredentials({ kubeconfig: here.stack.kubeconfigFile });
      const workloads = createWorkloadsClient(credentials, here.namespace);
      await workloads.create('Deployment', name, usingEnv(name));
      await here.stack.kube.createSecret(here.namespace, nativeSecret(name, { a: 'b' }));
      expect(await sendSlowly('POST', secretsPath(here.namespace, name, 'restart'), {}, meanwhile)).toBe(
        status,
      );
      expect(await workloads.restartedAt('Deployment', name)).toBeUndefined();
      await workloads.close();
    });
  });

  it('GET …/versions/:version looks at the version last', async () => {
    const path = secretsPath(here.namespace, name, 'versions/none');
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await scoped.developer.get(path), 404);
    await here.stack.kube.createSecret(here.namespace, nativeSecret(name));
    errorOf(await scoped.developer.get(path), 403);
    expect(errorOf(await scoped.admin.get(path), 400)).toMatch(/^version must/);
    errorOf(await scoped.admin.get(secretsPath(here.namespace, name, 'versions/1')), 404);
  });
});
