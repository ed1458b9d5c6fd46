import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cluster/clock.ts';
import { startCall } from '../../../src/calls/call.ts';
import { spentCall, unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { credentialsFor, gatewayTo, openGateway, READ, WRITE } from './gateway-ground.ts';
import {
  answer,
  cut,
  cutWithin,
  hang,
  refuse,
  stallWithin,
  startScriptedServer,
  type ScriptedServer,
} from './scripted-server.ts';

const call = unhurriedCall();
const good = answer(200, { kind: 'Secret' });

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = await startScriptedServer([good]);
  await server.close();
  return Number(new URL(server.url).port);
}

describe('a request', () => {
  it('goes out signed in, as JSON, to the path of its object', async () => {
    const { gateway, server } = await openGateway([good]);
    await gateway.request({ ...WRITE, query: { dryRun: 'All' }, body: { a: 1 } }, call);
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
    const reply = await gateway.request(READ, call);
    expect(JSON.stringify(reply.body)).toBe(text);
    expect(reply).toMatchObject({ status: 200, bytes: text.length });
  });

  it('shares connections with the requests before it', async () => {
    const { gateway, server } = await openGateway([good]);
    for (let index = 0; index < 20; index++) await gateway.request(READ, call);
    expect(server.seen).toHaveLength(20);
    // A second one may be opened while the first is still being put back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('leaves no timer behind', async () => {
    const { gateway } = await openGateway([good]);
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    await gateway.request(READ, call);
    const before = timers();
    for (let index = 0; index < 20; index++) await gateway.request(READ, call);
    expect(timers() - before).toBeLessThan(10);
  });

  it('waits for one of the bounded connections', async () => {
    const { gateway, server } = await openGateway([good], { maxConnections: 3 });
    await Promise.all(Array.from({ length: 30 }, () => gateway.request(READ, call)));
    expect(server.seen).toHaveLength(30);
    expect(server.connections()).toBeLessThanOrEqual(3);
  });

  it('follows no redirect', async () => {
    const { gateway, server } = await openGateway([answer(302, '', { location: '/elsewhere' })]);
    expect(await codeOf(gateway.request(READ, call))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('is not sent once the call is spent', async () => {
    const { gateway, server, records } = await openGateway([good]);
    await expect(gateway.request(READ, spentCall())).rejects.toMatchObject({ reason: 'callSpent' });
    expect([server.seen, records]).toEqual([[], []]);
  });

  it('is not sent with a name that could leave its path', async () => {
    const { gateway, server } = await openGateway([good]);
    expect(await codeOf(gateway.request({ ...READ, name: '..' }, call))).toBe('invalidRequest');
    expect(server.seen).toEqual([]);
  });

  it('is told to the observer, attempt by attempt', async () => {
    const { gateway, records } = await openGateway([refuse(503, 'ServiceUnavailable'), good]);
    await gateway.request(READ, call);
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

describe('a read', () => {
  it.each([
    ['500', refuse(500, 'InternalError')],
    ['502 from a proxy', answer(502, '<html>')],
    ['503', refuse(503, 'ServiceUnavailable')],
    ['504', refuse(504, 'Timeout')],
    ['429', refuse(429, 'TooManyRequests')],
    ['a cut connection', cut],
    ['an answer that is cut', cutWithin(200)],
  ])('is asked again after %s', async (_what, failure) => {
    const { gateway, server } = await openGateway([failure, failure, failure, good]);
    expect((await gateway.request(READ, call)).status).toBe(200);
    expect(server.seen).toHaveLength(4);
  });

  it('is given up after four attempts, with growing waits between them', async () => {
    const { gateway, server, waits } = await openGateway([refuse(500, 'InternalError')]);
    expect(await codeOf(gateway.request(READ, call))).toBe('unavailable');
    expect(server.seen).toHaveLength(4);
    expect(waits).toEqual([50, 100, 200]);
  });

  it('waits as long as the cluster asks for', async () => {
    const { gateway, waits } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '7' }),
      good,
    ]);
    await gateway.request(READ, call);
    expect(waits).toEqual([7_050]);
  });

  it('is given up at once when the wait would outlast the call, and says how long to wait', async () => {
    const { gateway, server } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '61' }),
    ]);
    await expect(gateway.request(READ, call)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 61,
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['before the head', hang],
    ['within the body', stallWithin(200)],
  ])('is asked again after a timeout %s', async (_what, silence) => {
    const { gateway, server, records } = await openGateway([silence, good], { attemptTimeoutMs: 200 });
    await gateway.request(READ, call);
    expect(server.seen).toHaveLength(2);
    expect(records[0]).toMatchObject({ outcome: 'unavailable', reason: 'clusterTimeout' });
  });

  it('ends with the call, whatever the cluster does', async () => {
    const { gateway, server } = await openGateway([hang]);
    const controller = new AbortController();
    const pending = codeOf(gateway.request(READ, unhurriedCall(controller.signal)));
    await server.hasSeen(1);
    controller.abort();
    expect(await pending).toBe('unavailable');
    await server.abandoned;
    expect(server.seen).toHaveLength(1);
  });

  it('ends with the call in the middle of a wait, too', async () => {
    const controller = new AbortController();
    const { gateway, server } = await openGateway(
      [refuse(503, 'ServiceUnavailable', {}, { 'retry-after': '300' })],
      {
        clock: {
          ...systemClock,
          sleep: (ms, signal) => {
            setImmediate(() => {
              controller.abort();
            });
            return systemClock.sleep(ms, signal);
          },
        },
      },
    );
    const patient = { signal: controller.signal, remainingMs: () => 600_000 };
    await expect(gateway.request(READ, patient)).rejects.toMatchObject({
      reason: 'callSpent',
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['HTML', '<html>hunter2</html>'],
    ['nothing', ''],
    ['half of it', '{"kind":"Sec'],
    ['no UTF-8', Buffer.of(0x22, 0xff, 0x22)],
  ])('takes %s with status 200 for no answer at all', async (_what, body) => {
    const { gateway } = await openGateway([answer(200, body)]);
    await expect(gateway.request(READ, call)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'clusterNotJson',
    });
  });

  it('does not read on when an answer announces more than it may have', async () => {
    const { gateway, server } = await openGateway([
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{');
      },
    ]);
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 999 }, call))).toBe('responseTooLarge');
    await server.abandoned;
  });

  it('does not read on when an answer turns out longer than it may be', async () => {
    const { gateway, server } = await openGateway([
      (response) => {
        response.writeHead(200);
        response.write('x'.repeat(600));
        response.write('x'.repeat(600));
      },
    ]);
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 999 }, call))).toBe('responseTooLarge');
    await server.abandoned;
  });

  it('takes an answer of exactly the bytes that it may have', async () => {
    const { gateway } = await openGateway([answer(200, `"${'x'.repeat(997)}"`)]);
    expect((await gateway.request({ ...READ, maxBytes: 999 }, call)).bytes).toBe(999);
  });

  it('reads the reason of a failure however short a good answer would have to be', async () => {
    const { gateway } = await openGateway([refuse(404, 'NotFound', { kind: 'secrets', name: 'a' })]);
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 10 }, call))).toBe('notFound');
  });

  it('goes by the status alone when the body of an error is cut or has no end', async () => {
    const endless = cutWithin(500);
    const huge = answer(403, 'x'.repeat(1_100_000));
    const { gateway, records } = await openGateway([endless, huge]);
    expect(await codeOf(gateway.request(READ, call))).toBe('unavailable');
    expect(records.map(({ status }) => status)).toEqual([500, 403]);
  });
});

describe('a write', () => {
  it.each([
    ['500', refuse(500, 'InternalError')],
    ['502', answer(502, '<html>')],
    ['504', refuse(504, 'Timeout')],
    ['a connection cut after it was sent', cut],
    ['a good answer that is cut', cutWithin(200)],
    ['a good answer that is no JSON', answer(200, '<html>')],
    ['a good answer without end', answer(200, 'x'.repeat(9_000_000))],
  ])('is sent once and its outcome is uncertain after %s', async (_what, failure) => {
    const { gateway, server } = await openGateway([failure]);
    expect(await codeOf(gateway.request(WRITE, call))).toBe('uncertain');
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['no answer comes', hang],
    ['the answer stalls', stallWithin(200)],
  ])('is sent once and its outcome is uncertain when %s in time', async (_what, silence) => {
    const { gateway, server } = await openGateway([silence], { attemptTimeoutMs: 200 });
    expect(await codeOf(gateway.request(WRITE, call))).toBe('uncertain');
    expect(server.seen).toHaveLength(1);
  });

  it('is uncertain when the call ends after it was sent', async () => {
    const { gateway, server } = await openGateway([hang]);
    const controller = new AbortController();
    const pending = codeOf(gateway.request(WRITE, unhurriedCall(controller.signal)));
    await server.hasSeen(1);
    controller.abort();
    expect(await pending).toBe('uncertain');
  });

  it('is sent once and did nothing after 503', async () => {
    const { gateway, server } = await openGateway([refuse(503, 'ServiceUnavailable')]);
    expect(await codeOf(gateway.request(WRITE, call))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('is sent again after 429, which says that nothing was done', async () => {
    const { gateway, server, waits } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '1' }),
      good,
    ]);
    await gateway.request(WRITE, call);
    expect([server.seen.length, waits]).toEqual([2, [1_050]]);
  });

  it('is tried again when the connection was refused', async () => {
    const port = await freePort();
    let server: ScriptedServer | undefined;
    const { gateway, records } = gatewayTo(`http://127.0.0.1:${port}`, {
      clock: {
        ...systemClock,
        sleep: async () => {
          server ??= await startScriptedServer([good], { port });
        },
      },
    });
    try {
      expect((await gateway.request(WRITE, call)).status).toBe(200);
      expect(server?.seen).toHaveLength(1);
      expect(records[0]).toMatchObject({ reason: 'connectionFailed', systemCode: 'ECONNREFUSED' });
    } finally {
      await server?.close();
    }
  });

  it('did nothing when the connection is refused every time', async () => {
    const { gateway, records } = gatewayTo(`http://127.0.0.1:${await freePort()}`);
    expect(await codeOf(gateway.request(WRITE, call))).toBe('unavailable');
    expect(records).toHaveLength(4);
  });

  it('that never got a connection did nothing, and is not sent afterwards', async () => {
    const { gateway, server } = await openGateway([hang, good], { maxConnections: 1 });
    const controller = new AbortController();
    const first = codeOf(gateway.request(READ, unhurriedCall(controller.signal)));
    await server.hasSeen(1);
    expect(await codeOf(gateway.request(WRITE, startCall(150)))).toBe('unavailable');
    controller.abort();
    await first;
    await gateway.request(READ, call);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

describe('credentials', () => {
  it('that the cluster refuses are forgotten', async () => {
    let forgotten = 0;
    const server = await startScriptedServer([refuse(401, 'Unauthorized')]);
    const credentials = credentialsFor(server.url, { forget: () => forgotten++ });
    const { gateway } = gatewayTo(server.url, { credentials });
    await expect(gateway.request(READ, call)).rejects.toMatchObject({ reason: 'clusterCredentialsRefused' });
    expect([forgotten, server.seen.length]).toEqual([1, 1]);
    await server.close();
  });

  it('that do not come in time leave a write undone', async () => {
    const { gateway, records } = gatewayTo('http://127.0.0.1:1', {
      credentials: credentialsFor('http://127.0.0.1:1', { access: () => new Promise(() => undefined) }),
      attemptTimeoutMs: 20,
    });
    expect(await codeOf(gateway.request(WRITE, call))).toBe('unavailable');
    expect(records[0]).toMatchObject({ reason: 'clusterTimeout' });
  });

  it('that no header can hold fail without being quoted', async () => {
    const access = () => Promise.resolve({ headers: { authorization: 'Bearer hunter2\r\nx: y' }, tls: {} });
    const { gateway, records } = gatewayTo('http://127.0.0.1:1', {
      credentials: credentialsFor('http://127.0.0.1:1', { access }),
    });
    await expect(gateway.request(WRITE, call)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining('hunter2') as string,
    });
    expect(JSON.stringify(records)).not.toContain('hunter2');
  });
});

describe('a closed gateway', () => {
  it('cuts what is running and takes nothing more', async () => {
    const { gateway, server } = await openGateway([hang]);
    const running = codeOf(gateway.request({ ...WRITE }, call));
    await server.hasSeen(1);
    await gateway.close();
    expect(await running).toBe('uncertain');
    expect(await codeOf(gateway.request(WRITE, call))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });
});
