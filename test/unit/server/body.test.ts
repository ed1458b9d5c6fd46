import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { bodyOf, exchange, refused } from './body-fixture.ts';
import { eventually } from '../../harness/eventually.ts';

describe('a JSON body', () => {
  it('is parsed, whatever its chunks are cut through', async () => {
    const bytes = Buffer.from('{"a":"é🔑"}');
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await bodyOf(chunks)).toEqual({ a: 'é🔑' });
  });

  it('comes back as it came in, whatever its pieces', async () => {
    const pieces = fc.array(fc.string({ maxLength: 5_000 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pieces, async (texts) => {
        const text = JSON.stringify(texts.join(''));
        const chunks = ['"', ...texts.map((one) => JSON.stringify(one).slice(1, -1)), '"'];
        expect(await bodyOf(chunks)).toBe(JSON.parse(text));
      }),
    );
  });

  it('keeps none of its pieces', async () => {
    const { stream, read } = exchange();
    const body = read();
    const piece = Buffer.from(' ');
    for (let count = 0; count < 10_000; count++) stream.write(piece);
    await eventually(() => {
      expect(stream.readableLength).toBe(0);
    });
    await nextTurn();
    piece.write('x');
    stream.end('1');
    expect(await body).toBe(1);
  });

  it('keeps __proto__ as an ordinary property', async () => {
    const body = await bodyOf(['{"data":{"__proto__":"x"}}']);
    expect(Object.keys((body as { data: object }).data)).toEqual(['__proto__']);
  });

  it.each(['null', '1', '"x"', '[]', ' {} \n'])(
    'may be %j; what shape it must have is said elsewhere',
    async (text) => {
      expect(await bodyOf([text])).toEqual(JSON.parse(text));
    },
  );

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    ' application/json ',
    'application/json; profile="x"',
    'application/json; charset=utf-8; foo=bar',
    'application/json;;charset=utf-8;',
    'application/json; charset="ut\\f-8"',
  ])('of type %j is read', async (type) => {
    expect(await bodyOf(['{}'], { 'content-type': type })).toEqual({});
  });

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/json-patch+json',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json, text/plain',
    'text/plain; application/json',
    'application/json; charset = utf-8',
    'application/json; charset="utf-8',
    'application/json; charset=""',
    'application/json; profile',
    'application/json; =x',
    `application/json; profile=${'x'.repeat(200)}`,
  ])('of type %j is not read', async (type) => {
    await expect(bodyOf(['{}'], { 'content-type': type })).rejects.toThrow(refused('unsupportedMediaType'));
  });

  it('without a type is not read', async () => {
    await expect(bodyOf(['{}'], {})).rejects.toThrow(refused('unsupportedMediaType'));
  });

  it.each(['gzip', 'deflate', 'br', 'identity, gzip', 'x-unknown'])(
    'compressed as %s is not read',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      await expect(bodyOf([gzipSync('{}')], headers)).rejects.toThrow(refused('unsupportedMediaType'));
    },
  );

  it('in another transfer coding than chunks is not read', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'gzip, chunked' };
    await expect(bodyOf([gzipSync('{}')], headers)).rejects.toThrow(refused('unsupportedMediaType'));
  });

  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['broken JSON', '{"a":'],
    ['a trailing comma', '{"a":1,}'],
    ['two documents', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['a control character in a text', '{"a":"\u0001"}'],
    ['single quotes', "{'a':1}"],
    ['NaN', 'NaN'],
  ])('with %s is malformed', async (_what, text) => {
    await expect(bodyOf([text])).rejects.toThrow(
      refused('invalidRequest', 'The request body must be valid JSON'),
    );
  });

  it.each([
    ['an invalid byte', Uint8Array.of(0x22, 0xff, 0x22)],
    ['an overlong NUL', Uint8Array.of(0x22, 0xc0, 0x80, 0x22)],
    ['a surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['a truncated character', Uint8Array.of(0x22, 0xe2, 0x82)],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ])('with %s is not UTF-8', async (_what, bytes) => {
    await expect(bodyOf([bytes])).rejects.toThrow(
      refused('invalidRequest', 'The request body must be valid UTF-8'),
    );
  });

  it('is refused without repeating it', async () => {
    const failure = await bodyOf(['{"a": planted-4711']).catch((error: unknown) => error);
    const reported = failure instanceof Error ? `${failure.message} ${String(failure.cause)}` : '';
    expect(reported).toContain('valid JSON');
    expect(reported).not.toContain('planted');
  });
});

describe('a body in tiny pieces', () => {
  it('is read a thousand pieces at a time, other work in between', async () => {
    const { stream, read } = exchange();
    const body = read();
    const seen: number[] = [];
    let pieces = 0;
    stream.on('data', () => pieces++);
    const watch = setInterval(() => seen.push(pieces), 0);
    for (let piece = 0; piece < 9_999; piece++) stream.write(' ');
    stream.end('1');
    expect(await body).toBe(1);
    clearInterval(watch);
    expect(pieces).toBe(10_000);
    expect(seen.length, 'timers ran meanwhile').toBeGreaterThan(0);
  });

  it('is not read on once it is refused', async () => {
    const { stream, read, budget } = exchange();
    budget.left = 999;
    const body = read();
    for (let piece = 0; piece < 1_000; piece++) stream.write(' ');
    await expect(body).rejects.toThrow(refused('bodyBudgetExceeded'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stream.isPaused()).toBe(true);
  });
});

describe('a body that ends early', () => {
  it('is refused', async () => {
    const { stream, read } = exchange();
    const body = read();
    stream.write('{"a":');
    stream.destroy();
    await expect(body).rejects.toThrow(refused('invalidRequest', 'The request body ended early'));
  });

  it('is refused when that happened before anyone read it', async () => {
    const { stream, read } = exchange();
    stream.destroy();
    await expect(read()).rejects.toThrow(refused('invalidRequest', 'The request body ended early'));
  });

  it('leaves no listener behind', async () => {
    const { stream, read } = exchange();
    const before = stream.eventNames().map((name) => [name, stream.listenerCount(name)]);
    const body = read();
    stream.write('{');
    stream.destroy();
    await expect(body).rejects.toThrow();
    expect(stream.eventNames().map((name) => [name, stream.listenerCount(name)])).toEqual(before);
  });

  it('is refused without the text of the error', async () => {
    const { stream, read } = exchange();
    const body = read();
    stream.destroy(new Error('planted-4711'));
    const failure = await body.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalidRequest', reason: 'bodyEndedEarly' });
    expect(failure instanceof Error && String(failure.cause)).not.toContain('planted');
  });
});

describe('what is wrong with a body', () => {
  it.each([
    ['another type', { 'content-type': 'text/plain' }, 'unsupportedMediaType'],
    ['an announced length', { 'content-type': 'application/json', 'content-length': '99999999' }, 'tooLarge'],
  ])('is said when it is parsed, not before, and nothing of it is read: %s', async (_what, headers, code) => {
    const { stream, receive } = exchange(headers);
    const body = await receive();
    await expect(body.parse()).rejects.toThrow(refused(code));
    expect(stream.listenerCount('data')).toBe(0);
  });

  it('is said when it is parsed although more of it is still to come, and nothing of it is held', async () => {
    const { stream, receive, reservation } = exchange();
    const received = receive();
    stream.write('['.repeat(65));
    const body = await received;
    expect(reservation.release).toHaveBeenCalledOnce();
    await expect(body.parse()).rejects.toThrow(refused('tooLarge'));
  });

  it('is said when it is parsed, whose bytes all arrived', async () => {
    const { stream, receive, reservation } = exchange();
    const received = receive();
    stream.end('{');
    const body = await received;
    expect(reservation.release).not.toHaveBeenCalled();
    await expect(body.parse()).rejects.toThrow(refused('invalidRequest'));
    body.release();
    expect(reservation.release).toHaveBeenCalledOnce();
  });
});

describe('a body that is ended for others', () => {
  it('is refused with what the budget says, and is not read on', async () => {
    const { stream, receive, ending, sent } = exchange();
    const received = receive();
    stream.write('{');
    ending.end?.(new ServiceError('bodyBudgetExceeded', 'too slow'));
    await expect(received).rejects.toThrow(refused('bodyBudgetExceeded', 'too slow'));
    expect(stream.listenerCount('data')).toBe(0);
    expect(stream.isPaused()).toBe(true);
    expect(sent.get('connection')).toBe('close');
  });
});
