import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/timing/clock.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { openGateway, READ } from './gateway-fixture.ts';
import { answer, cut, cutWithin, hang, refuse, stallWithin } from './scripted-server.ts';

const deadline = unhurriedCall();
const good = answer(200, { kind: 'Secret' });

describe('a read', () => {
  it.each([
    ['500', refuse(500, 'InternalError')],
    ['502 from a proxy', answer(502, '<html>')],
    ['503', refuse(503, 'ServiceUnavailable')],
    ['504', refuse(504, 'Timeout')],
    ['429', refuse(429, 'TooManyRequests')],
    ['a cut connection', cut],
    ['an answer that is cut', cutWithin(200)],
  ])('is sent again after %s', async (_what, failure) => {
    const { gateway, server } = await openGateway([failure, failure, failure, good]);
    expect((await gateway.request(READ, deadline)).status).toBe(200);
    expect(server.seen).toHaveLength(4);
  });

  it('is given up after four attempts, with growing waits between them', async () => {
    const { gateway, server, waits } = await openGateway([refuse(500, 'InternalError')]);
    expect(await codeOf(gateway.request(READ, deadline))).toBe('unavailable');
    expect(server.seen).toHaveLength(4);
    expect(waits).toEqual([50, 100, 200]);
  });

  it('waits as long as the cluster requests', async () => {
    const { gateway, waits } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '7' }),
      good,
    ]);
    await gateway.request(READ, deadline);
    expect(waits).toEqual([7_050]);
  });

  it('is given up at once when the wait would outlast the call, and says how long to wait', async () => {
    const { gateway, server } = await openGateway([
      refuse(429, 'TooManyRequests', {}, { 'retry-after': '61' }),
    ]);
    await expect(gateway.request(READ, deadline)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 61,
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['before the head', hang],
    ['within the body', stallWithin(200)],
  ])('is sent again after a timeout %s', async (_what, silence) => {
    const { gateway, server, records } = await openGateway([silence, good], { attemptTimeoutMs: 600 });
    await gateway.request(READ, deadline);
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
      reason: 'deadlineExceeded',
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
    await expect(gateway.request(READ, deadline)).rejects.toMatchObject({
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
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 999 }, deadline))).toBe('responseTooLarge');
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
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 999 }, deadline))).toBe('responseTooLarge');
    await server.abandoned;
  });

  it('takes an answer of exactly the bytes that it may have', async () => {
    const { gateway } = await openGateway([answer(200, `"${'x'.repeat(997)}"`)]);
    expect((await gateway.request({ ...READ, maxBytes: 999 }, deadline)).bytes).toBe(999);
  });

  it('reads the reason of a failure however short a good answer would have to be', async () => {
    const { gateway } = await openGateway([refuse(404, 'NotFound', { kind: 'secrets', name: 'a' })]);
    expect(await codeOf(gateway.request({ ...READ, maxBytes: 10 }, deadline))).toBe('notFound');
  });

  it('goes by the status alone when the body of an error is cut or has no end', async () => {
    const endless = cutWithin(500);
    const huge = answer(403, 'x'.repeat(1_100_000));
    const { gateway, records } = await openGateway([endless, huge]);
    expect(await codeOf(gateway.request(READ, deadline))).toBe('unavailable');
    expect(records.map(({ status }) => status)).toEqual([500, 403]);
  });
});
