import type { ClusterRequest } from '../../../src/cluster/transport/request.ts';
import { describe, expect, it } from 'vitest';
import { spentCall, unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { credentialsFor, gatewayTo, openGateway, READ, WRITE } from './gateway-fixture.ts';
import { answer, hang, refuse, startScriptedServer } from './scripted-server.ts';

const deadline = unhurriedCall();
const good = answer(200, { kind: 'Secret' });

describe('a request', () => {
  it('goes out signed in, as JSON, to the path of its object', async () => {
    const { gateway, server } = await openGateway([good]);
    await gateway.request({ ...WRITE, query: { dryRun: 'All' }, body: { a: 1 } }, deadline);
    expect(server.seen).toEqual([
      expect.objectContaining({
        method: 'PUT',
        path: '/api/v1/namespaces/team-a/secrets/a?dryRun=All',
        body: '{"a":1}',
        headers: expect.objectContaining({
          authorization: 'Bearer t',
          accept: 'application/json',
          'content-type': 'application/json',
        }) as unknown,
      }),
    ]);
  });

  it('keeps every key of the answer, and counts its bytes', async () => {
    const text = '{"data":{"__proto__":"cA==","toString":"dA=="}}';
    const { gateway } = await openGateway([answer(200, text)]);
    const reply = await gateway.request(READ, deadline);
    expect(JSON.stringify(reply.body)).toBe(text);
    expect(reply).toMatchObject({ status: 200, bytes: text.length });
  });

  it.each<[what: string, request: ClusterRequest]>([
    ['a read', READ],
    ['a deletion with preconditions', { ...READ, verb: 'delete', body: { kind: 'DeleteOptions' } }],
  ])('shares connections with the requests before it: %s', async (_what, request) => {
    const { gateway, server } = await openGateway([good]);
    for (let index = 0; index < 20; index++) await gateway.request(request, deadline);
    expect(server.seen).toHaveLength(20);
    // A second one may be opened while the first is still being put back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('leaves no timer behind', async () => {
    const { gateway } = await openGateway([good]);
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    await gateway.request(READ, deadline);
    const before = timers();
    for (let index = 0; index < 20; index++) await gateway.request(READ, deadline);
    expect(timers() - before).toBeLessThan(10);
  });

  it('waits for one of the bounded connections', async () => {
    const { gateway, server } = await openGateway([good], { maxConnections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => gateway.request(READ, deadline)));
    expect(server.seen).toHaveLength(30);
    expect(server.connections()).toBeLessThanOrEqual(3);
  });

  it('follows no redirect', async () => {
    const { gateway, server } = await openGateway([answer(302, '', { location: '/elsewhere' })]);
    expect(await codeOf(gateway.request(READ, deadline))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('is not sent once the call is spent', async () => {
    const { gateway, server, records } = await openGateway([good]);
    await expect(gateway.request(READ, spentCall())).rejects.toMatchObject({ reason: 'deadlineExceeded' });
    expect([server.seen, records]).toEqual([[], []]);
  });

  it('is not sent with a name that could leave its path', async () => {
    const { gateway, server } = await openGateway([good]);
    expect(await codeOf(gateway.request({ ...READ, name: '..' }, deadline))).toBe('invalidRequest');
    expect(server.seen).toEqual([]);
  });

  it('is reported to the observer, attempt by attempt', async () => {
    const { gateway, records } = await openGateway([refuse(503, 'ServiceUnavailable'), good]);
    await gateway.request(READ, deadline);
    const same = { verb: 'get', resource: 'secrets', namespace: 'team-a', name: 'a', systemCode: undefined };
    expect(records).toEqual([
      {
        ...same,
        status: 503,
        outcome: 'unavailable',
        reason: 'clusterStatus:503',
        attempt: 1,
        durationMs: expect.any(Number) as number,
      },
      {
        ...same,
        status: 200,
        outcome: 'ok',
        reason: undefined,
        attempt: 2,
        durationMs: expect.any(Number) as number,
      },
    ]);
  });
});

describe('credentials', () => {
  it('that the cluster refuses are forgotten', async () => {
    let forgotten = 0;
    const server = await startScriptedServer([refuse(401, 'Unauthorized')]);
    const credentials = credentialsFor(server.url, { forget: () => forgotten++ });
    const { gateway } = gatewayTo(server.url, { credentials });
    await expect(gateway.request(READ, deadline)).rejects.toMatchObject({
      reason: 'clusterCredentialsRefused',
    });
    expect([forgotten, server.seen.length]).toEqual([1, 1]);
    await server.close();
  });

  it('that do not come in time leave a write undone', async () => {
    const { gateway, records } = gatewayTo('http://127.0.0.1:1', {
      credentials: credentialsFor('http://127.0.0.1:1', { access: () => new Promise(() => undefined) }),
      attemptTimeoutMs: 20,
    });
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('unavailable');
    expect(records[0]).toMatchObject({ reason: 'clusterTimeout' });
  });

  it('that no header can hold fail without being quoted', async () => {
    const access = () => Promise.resolve({ headers: { authorization: 'Bearer hunter2\r\nx: y' }, tls: {} });
    const { gateway, records } = gatewayTo('http://127.0.0.1:1', {
      credentials: credentialsFor('http://127.0.0.1:1', { access }),
    });
    await expect(gateway.request(WRITE, deadline)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('hunter2') as string,
    });
    expect(JSON.stringify(records)).not.toContain('hunter2');
  });
});

describe('a closed gateway', () => {
  it('cuts what is running and takes nothing more', async () => {
    const { gateway, server } = await openGateway([hang]);
    const running = codeOf(gateway.request({ ...WRITE }, deadline));
    await server.hasSeen(1);
    await gateway.close();
    expect(await running).toBe('uncertain');
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });
});
