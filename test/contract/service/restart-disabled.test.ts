import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, jsonOf } from '../../harness/answers.ts';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { openStack, type Stack } from '../../harness/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

describe('where neither consumers nor restart are enabled', () => {
  let admin: ApiClient;
  let anonymous: ApiClient;
  let outside: string;
  const scoped = { current: '' };
  beforeAll(async () => {
    scoped.current = await stack.namespace();
    outside = await stack.namespace();
    const { url } = await stack.anotherService({ env: { SERVICE_NAMESPACES: scoped.current } });
    [admin, anonymous] = await Promise.all([clientFor(url, ADMIN), clientFor(url)]);
  });

  it.each([
    ['GET', 'consumers', 'Consumers are not enabled'],
    ['POST', 'restart', 'Restart is not enabled'],
  ])(
    '%s …/%s answers 501 after session, path and scope, before the body and the Secret',
    async (method, below, text501) => {
      const text = { body: '{', headers: { 'content-type': 'text/plain' } };
      const sent = method === 'POST' ? text : {};
      const at = (place: string, name = 'absent') => secretsPath(place, name, below);
      errorOf(await anonymous.send(method, at('Bad_Name'), sent), 401);
      errorOf(await admin.send(method, at('Bad_Name'), sent), 400);
      errorOf(await admin.send(method, at(outside, 'Bad_Name'), sent), 400);
      errorOf(await admin.send(method, at(outside), sent), 403);
      const answer = await admin.send(method, at(scoped.current), sent);
      expect(errorOf(answer, 501)).toBe(text501);
    },
  );

  it.runIf(ON_DEV_CLUSTER)('no request is sent to the cluster', async () => {
    const since = stack.dev.requests.last;
    errorOf(await admin.get(secretsPath(scoped.current, 'db', 'consumers')), 501);
    errorOf(await admin.get(secretsPath(scoped.current, 'db', 'consumers?progress=wrong')), 501);
    errorOf(await admin.send('POST', secretsPath(scoped.current, 'db', 'restart')), 501);
    expect(stack.dev.requests.list(since).filter((call) => call.namespace === scoped.current)).toEqual([]);
  });

  it.each([
    [{}, { restartEnabled: false, consumersEnabled: false }],
    [{ SERVICE_CONSUMERS_ENABLED: 'true' }, { restartEnabled: false, consumersEnabled: true }],
    [{ SERVICE_RESTART_ENABLED: 'true' }, { restartEnabled: true, consumersEnabled: true }],
    [
      { SERVICE_RESTART_ENABLED: 'true', SERVICE_CONSUMERS_ENABLED: 'false' },
      { restartEnabled: true, consumersEnabled: true },
    ],
  ])('with %j GET /api/config has %j', async (env, config) => {
    const { url } = await stack.anotherService({ env });
    expect((await (await clientFor(url)).get('/api/config')).json).toMatchObject(config);
  });
});

describe('where consumers are enabled and restart is not', () => {
  it('the list is given, and restart is 501', async () => {
    const namespace = await stack.namespace();
    await stack.kube.createSecret(namespace, nativeSecret('db', { key: 'value' }));
    const { url } = await stack.anotherService({ env: { SERVICE_CONSUMERS_ENABLED: 'true' } });
    const admin = await clientFor(url, ADMIN);
    const listed = await admin.get(secretsPath(namespace, 'db', 'consumers'));
    expect(jsonOf(listed, 200)).toEqual({ consumers: [] });
    errorOf(await admin.post(secretsPath(namespace, 'db', 'restart'), {}), 501);
  });
});
