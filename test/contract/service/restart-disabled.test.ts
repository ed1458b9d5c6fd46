import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../../harness/answers.ts';
import { ADMIN, clientFor, type ApiClient } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

describe('where restart is not enabled', () => {
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
    ['GET', 'consumers'],
    ['POST', 'restart'],
  ])(
    '%s …/%s answers 501 after session, path and scope, before the body and the Secret',
    async (method, below) => {
      const text = { body: '{', headers: { 'content-type': 'text/plain' } };
      const sent = method === 'POST' ? text : {};
      const at = (place: string, name = 'absent') => secretsPath(place, name, below);
      errorOf(await anonymous.send(method, at('Bad_Name'), sent), 401);
      errorOf(await admin.send(method, at('Bad_Name'), sent), 400);
      errorOf(await admin.send(method, at(outside, 'Bad_Name'), sent), 400);
      errorOf(await admin.send(method, at(outside), sent), 403);
      const answer = await admin.send(method, at(scoped.current), sent);
      expect(errorOf(answer, 501)).toBe('Restart is not enabled');
    },
  );

  it.runIf(ON_DEV_CLUSTER)('nothing is asked of the cluster', async () => {
    const mark = stack.dev.requests.last;
    errorOf(await admin.get(secretsPath(scoped.current, 'db', 'consumers')), 501);
    errorOf(await admin.send('POST', secretsPath(scoped.current, 'db', 'restart')), 501);
    expect(stack.dev.requests.list(mark).filter((call) => call.namespace === scoped.current)).toEqual([]);
  });

  it('GET /api/config says which it is', async () => {
    expect((await anonymous.get('/api/config')).json).toMatchObject({ restartEnabled: false });
    const { url } = await stack.anotherService({ env: { SERVICE_RESTART_ENABLED: 'true' } });
    expect((await (await clientFor(url)).get('/api/config')).json).toMatchObject({ restartEnabled: true });
  });
});
