import { describe, expect, it } from 'vitest';
import { SELF_REVIEWS, TOKEN_REVIEWS } from '../../../src/cluster/objects/resources.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import { startDeadline } from '../../../src/timing/deadline.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { freePort } from '../../harness/free-port.ts';
import { gatewayTo, openGateway, READ, WRITE } from './gateway-fixture.ts';
import {
  answer,
  cut,
  cutWithin,
  hang,
  refuse,
  stallWithin,
  startScriptedServer,
  type ScriptedServer,
  type Play,
} from './scripted-server.ts';

const deadline = unhurriedCall();
const good = answer(200, { kind: 'Secret' });

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
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('uncertain');
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['no answer comes', hang],
    ['the answer stalls', stallWithin(200)],
  ])('is sent once and its outcome is uncertain when %s in time', async (_what, silence) => {
    const { gateway, server } = await openGateway([silence], { attemptTimeoutMs: 400 });
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('uncertain');
    expect(server.seen).toHaveLength(1);
  });

  it('waits half as long again as a read, for a webhook that the cluster gives up', async () => {
    const late: Play = (...request) => setTimeout(good, 1_550, ...request);
    const { gateway, server } = await openGateway([late], { attemptTimeoutMs: 1_500 });
    await gateway.request(WRITE, deadline);
    expect(server.seen).toHaveLength(1);
  });

  it.each([TOKEN_REVIEWS, SELF_REVIEWS])(
    'that is a review waits as long as a read: $kind',
    async (resource) => {
      const late: Play = (...request) => setTimeout(good, 650, ...request);
      const { gateway, records } = await openGateway([late], { attemptTimeoutMs: 500 });
      expect(await codeOf(gateway.request({ verb: 'create', resource, body: {} }, deadline))).toBe(
        'uncertain',
      );
      expect(records).toMatchObject([{ reason: 'clusterTimeout' }]);
    },
  );

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
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('unavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('is sent again after 429, which says that nothing was done', async () => {
    const { gateway, server, waits } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '1' }),
      good,
    ]);
    await gateway.request(WRITE, deadline);
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
      expect((await gateway.request(WRITE, deadline)).status).toBe(200);
      expect(server?.seen).toHaveLength(1);
      expect(records[0]).toMatchObject({ reason: 'connectionFailed', systemCode: 'ECONNREFUSED' });
    } finally {
      await server?.close();
    }
  });

  it('did nothing when the connection is refused every time', async () => {
    const { gateway, records } = gatewayTo(`http://127.0.0.1:${await freePort()}`);
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('unavailable');
    expect(records).toHaveLength(4);
  });

  it('that never got a connection did nothing, and is not sent afterwards', async () => {
    const { gateway, server } = await openGateway([hang, good], { maxConnections: 1 });
    const controller = new AbortController();
    const first = codeOf(gateway.request(READ, unhurriedCall(controller.signal)));
    await server.hasSeen(1);
    expect(await codeOf(gateway.request(WRITE, startDeadline(150)))).toBe('unavailable');
    controller.abort();
    await first;
    await gateway.request(READ, deadline);
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});
