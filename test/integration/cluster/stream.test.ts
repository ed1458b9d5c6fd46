import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/timing/clock.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { gatewayTo, openGateway, READ, WATCH } from './gateway-fixture.ts';
import { answer, cut, hang, refuse, type Play } from './scripted-server.ts';

const asText = (text: string): string => text;
const running = () => new AbortController().signal;

/** Writes the chunks and leaves the answer open. */
function write(...chunks: readonly (string | Buffer)[]): Play {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const chunk of chunks) response.write(chunk);
  };
}

/** Reads one line after the other. */
function readerOf(lines: AsyncIterable<string>): () => Promise<string | undefined> {
  const iterator = lines[Symbol.asyncIterator]();
  return async () => {
    const result = await iterator.next();
    return result.done === true ? undefined : result.value;
  };
}

describe('a stream', () => {
  it('gives its lines in order until the cluster ends it', async () => {
    const { gateway, server } = await openGateway([answer(200, '{"n":1}\n{"n":2}\n')]);
    const { lines } = await gateway.stream(WATCH, running(), asText);
    expect(await Array.fromAsync(lines)).toEqual(['{"n":1}', '{"n":2}']);
    expect(server.seen[0]).toMatchObject({ path: '/api/v1/namespaces/team-a/secrets?watch=true' });
  });

  it('gives a line as soon as it is there', async () => {
    const { gateway } = await openGateway([write('{"n":1}\n{"n"')]);
    const next = readerOf((await gateway.stream(WATCH, running(), asText)).lines);
    expect(await next()).toBe('{"n":1}');
  });

  it('ends quietly when it is given up, and lets go of the connection', async () => {
    const { gateway, server } = await openGateway([write('{"n":1}\n')]);
    const controller = new AbortController();
    const next = readerOf((await gateway.stream(WATCH, controller.signal, asText)).lines);
    await next();
    const end = next();
    controller.abort();
    expect(await end).toBeUndefined();
    await server.abandoned;
  });

  it('lets go of the connection when no one reads on', async () => {
    const { gateway, server } = await openGateway([write('{"n":1}\n{"n":2}\n')]);
    const { lines } = await gateway.stream(WATCH, running(), asText);
    for await (const line of lines) {
      expect(line).toBe('{"n":1}');
      break;
    }
    await server.abandoned;
  });

  it('gives what each line is read as, and fails with what the reading throws', async () => {
    const { gateway } = await openGateway([answer(200, '1\n2\nthree\n')]);
    const failure = new TypeError('no number');
    const read = (text: string): number => {
      if (Number.isNaN(Number(text))) throw failure;
      return Number(text);
    };
    const { lines } = await gateway.stream(WATCH, running(), read);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const line of lines) seen.push(line);
    })();
    await expect(reading).rejects.toBe(failure);
    expect(seen).toEqual([1, 2]);
  });

  it('fails when the connection breaks', async () => {
    const play: Play = (response) => {
      response.writeHead(200);
      response.write('{"n":1}\n', () => response.destroy());
    };
    const { gateway } = await openGateway([play]);
    const { lines } = await gateway.stream(WATCH, running(), asText);
    await expect(Array.fromAsync(lines)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'connectionFailed',
    });
  });

  it('fails at a line beyond the bound', async () => {
    const { gateway } = await openGateway([write('x'.repeat(200))]);
    const { lines } = await gateway.stream({ ...WATCH, maxBytes: 100 }, running(), asText);
    expect(await codeOf(Array.fromAsync(lines))).toBe('responseTooLarge');
  });

  it('measures how long the cluster has been silent', async () => {
    let time = 0;
    const { gateway } = await openGateway([write('{"n":1}\n')], {
      clock: { ...systemClock, now: () => time },
    });
    const stream = await gateway.stream(WATCH, running(), asText);
    time = 5;
    expect(stream.silenceMs()).toBe(5);
    await readerOf(stream.lines)();
    expect(stream.silenceMs()).toBe(0);
    time = 12;
    expect(stream.silenceMs()).toBe(7);
  });

  it('leaves the connections of the requests alone', async () => {
    const { gateway } = await openGateway([write('{}\n'), write('{}\n'), answer(200, {})], {
      maxConnections: 1,
    });
    await gateway.stream(WATCH, running(), asText);
    await gateway.stream(WATCH, running(), asText);
    expect((await gateway.request(READ, unhurriedCall())).status).toBe(200);
  });

  it.each([
    ['410', refuse(410, 'Expired'), 'expired'],
    ['403', refuse(403, 'Forbidden'), 'rbacForbidden'],
    ['500', refuse(500, 'InternalError'), 'unavailable'],
    ['an error page', answer(404, '<html>'), 'unavailable'],
    ['a cut connection', cut, 'unavailable'],
  ] as const)('is refused by %s, and not tried again', async (_what, play, code) => {
    const { gateway, server, records } = await openGateway([play]);
    expect(await codeOf(gateway.stream(WATCH, running(), asText))).toBe(code);
    expect(server.seen).toHaveLength(1);
    expect(records).toEqual([expect.objectContaining({ verb: 'watch', outcome: code })]);
  });

  it('is refused by an error without end, which is not read on', async () => {
    const endless: Play = (response) => {
      response.writeHead(500);
      response.write('x'.repeat(2_000_000));
    };
    const { gateway, server } = await openGateway([endless]);
    await expect(gateway.stream(WATCH, running(), asText)).rejects.toMatchObject({
      reason: 'clusterStatus:500',
    });
    await server.abandoned;
  });

  it('is not waited for longer than an attempt', async () => {
    const { gateway, server } = await openGateway([hang], { attemptTimeoutMs: 500 });
    await expect(gateway.stream(WATCH, running(), asText)).rejects.toMatchObject({
      reason: 'clusterTimeout',
    });
    await server.abandoned;
  });

  it('fails when it is given up before it is open, which is no failure of the cluster', async () => {
    const { gateway, server, records } = await openGateway([hang]);
    const given = new AbortController();
    const opening = gateway.stream(WATCH, given.signal, asText);
    await expect.poll(() => server.seen).toHaveLength(1);
    given.abort();
    await expect(opening).rejects.toMatchObject({ reason: 'deadlineExceeded' });
    expect(records).toEqual([]);
  });

  it('cannot be opened once it is given up', async () => {
    const { gateway } = gatewayTo('http://127.0.0.1:1');
    await expect(gateway.stream(WATCH, AbortSignal.abort(), asText)).rejects.toMatchObject({
      reason: 'deadlineExceeded',
    });
  });
});
