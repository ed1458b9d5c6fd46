import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPER_A, DEVELOPER_B, sessionCookie, type ApiClient } from '../../harness/api-client.ts';
import {
  startInProcessStack,
  type ComposedService,
  type InProcessStack,
} from '../../harness/in-process-stack.ts';
import { terminalToken } from '../../harness/terminal-token.ts';
import { becomes } from '../replicas.ts';

const OWN = 'secrets-management';
const NAME = 'service-revocations';
const OF_REVOCATIONS = { resource: 'configmaps', namespace: OWN };

const hashOf = (email: string): string => createHash('sha256').update(email).digest('hex');
const soon = (): string => new Date(Date.now() + 1_000).toISOString();

let stack: InProcessStack;
beforeAll(async () => {
  stack = await startInProcessStack({ env: { POD_NAMESPACE: OWN }, reconciles: false });
});
afterAll(() => stack.close());
afterEach(async () => {
  stack.dev.faults.clear();
  await stack.kube.removePolicy(OWN, NAME);
});

const revoke = (data: Readonly<Record<string, string>>) => stack.kube.setPolicy(OWN, data, NAME);
const statusOf = async (client: ApiClient): Promise<number> => (await client.get('/api/auth/me')).status;
const readiness = async ({ opsUrl }: ComposedService): Promise<string> =>
  (await fetch(`${opsUrl}/readyz`)).text();
const isReady = (service: ComposedService = stack) => becomes(() => readiness(service), 'ok\n');

describe('ending sessions early', () => {
  it('ends those of one person within seconds, also ones that were just used, and lets them sign in again', async () => {
    await isReady();
    const [one, other] = await Promise.all([stack.client(DEVELOPER_A), stack.client(DEVELOPER_B)]);
    expect([await statusOf(one), await statusOf(other)]).toEqual([200, 200]);
    const time = soon();
    await revoke({ [hashOf(DEVELOPER_A.email)]: time });
    await becomes(() => statusOf(one), 401, 5_000);
    const refused = await one.get('/api/namespaces');
    expect([refused.status, refused.json]).toEqual([401, { error: 'Sign-in required' }]);
    expect(await statusOf(other)).toBe(200);
    await becomes(() => Date.now() > Date.parse(time) + 1_000, true);
    expect(await statusOf(await stack.client(DEVELOPER_A))).toBe(200);
    expect(await statusOf(one)).toBe(401);
  });

  it('ends the token of a terminal with the session that it came from', async () => {
    await isReady();
    const token = await terminalToken(stack.url, await sessionCookie(DEVELOPER_A));
    const headers = { authorization: `Bearer ${token}` };
    const status = async () => (await fetch(`${stack.url}/api/namespaces`, { headers })).status;
    expect(await status()).toBe(200);
    await revoke({ [hashOf(DEVELOPER_A.email)]: soon() });
    await becomes(status, 401, 5_000);
  });

  it('ends those of everyone', async () => {
    await isReady();
    const clients = await Promise.all([stack.client(DEVELOPER_A), stack.client(DEVELOPER_B)]);
    await revoke({ _all: soon() });
    for (const client of clients) await becomes(() => statusOf(client), 401, 5_000);
  });

  it('holds by the last known state while the watch is down', async () => {
    await isReady();
    const client = await stack.client(DEVELOPER_A);
    await revoke({ _all: soon() });
    await becomes(() => statusOf(client), 401, 5_000);
    const { faults } = stack.dev;
    const refused = faults.add({ match: OF_REVOCATIONS, action: { type: 'status', status: 503 } });
    faults.add({ match: { ...OF_REVOCATIONS, verb: 'watch' }, action: { type: 'endWatch', abrupt: true } });
    await becomes(() => refused.hits > 0, true);
    expect(await statusOf(client)).toBe(401);
    expect(await readiness(stack)).toBe('ok\n');
  });

  it('is over when the ConfigMap is gone', async () => {
    await isReady();
    const client = await stack.client(DEVELOPER_A);
    await revoke({ _all: soon() });
    await becomes(() => statusOf(client), 401, 5_000);
    await stack.kube.removePolicy(OWN, NAME);
    await becomes(() => statusOf(client), 200, 5_000);
  });

  it('counts and logs malformed entries without their text, and goes by the others', async () => {
    await isReady();
    const client = await stack.client(DEVELOPER_A);
    const malformed = hashOf('someone@example.com');
    await revoke({ _all: soon(), 'kate.example.com': 'c4n4ry-key', [malformed]: 'c4n4ry-time' });
    await becomes(() => statusOf(client), 401, 5_000);
    const metrics = (await (await fetch(`${stack.opsUrl}/metrics`)).text()).split('\n');
    expect(metrics).toContain('service_session_revocations{state="effective"} 1');
    expect(metrics).toContain('service_session_revocations{state="malformed"} 2');
    const event = 'revocation is malformed and ends no session';
    const lines = stack.logLines().filter((line) => line['event'] === event);
    expect(lines).toContainEqual(expect.objectContaining({ problem: 'keyMalformed', level: 'warn' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ problem: 'timeMalformed', revocation: malformed }),
    );
    expect(stack.log()).not.toMatch(/c4n4ry|kate\.example/);
  });
});

describe('a replica that has not read who must sign in again', () => {
  it('is not ready and takes no session; once it has, it does', async () => {
    const fault = stack.dev.faults.add({ match: OF_REVOCATIONS, action: { type: 'status', status: 503 } });
    const late = await stack.another({});
    const client = await late.client(DEVELOPER_A);
    await becomes(() => fault.hits > 0, true);
    await becomes(() => readiness(late), 'not ready: revocations (not read yet)\n');
    expect(await statusOf(client)).toBe(503);
    expect((await client.get('/api/namespaces')).status).toBe(503);
    const authorization = `Bearer ${await terminalToken(stack.url, await sessionCookie(DEVELOPER_A))}`;
    expect((await fetch(`${late.url}/api/namespaces`, { headers: { authorization } })).status).toBe(503);
    expect((await (await late.client()).get('/api/auth/me')).status).toBe(401);
    fault.remove();
    await becomes(() => readiness(late), 'ok\n', 40_000);
    expect(await statusOf(client)).toBe(200);
  });

  it('names the right that is missing, and is ready once it is granted', async () => {
    const fault = stack.dev.faults.add({ match: OF_REVOCATIONS, action: { type: 'status', status: 403 } });
    const late = await stack.another({});
    const reason = 'rbacForbidden:list:configmaps';
    await becomes(
      () =>
        stack
          .logLines()
          .some((line) => line['level'] === 'warn' && line['reason'] === reason && line['namespace'] === OWN),
      true,
    );
    await becomes(() => readiness(late), 'not ready: revocations (rbacForbidden)\n');
    fault.remove();
    await becomes(() => readiness(late), 'ok\n', 60_000);
  }, 90_000);

  it('does not wait for it without a namespace of its own', async () => {
    stack.dev.faults.add({ match: OF_REVOCATIONS, action: { type: 'status', status: 503 } });
    const without = await stack.another({ env: { POD_NAMESPACE: '' } });
    await isReady(without);
    expect(await statusOf(await without.client(DEVELOPER_A))).toBe(200);
  });
});
