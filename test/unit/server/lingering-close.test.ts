import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeLingering, lingerOverUnread } from '../../../src/server/protocol-errors.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** An answer whose connection Node closes when it is done, as it does for `Connection: close`. */
function lastAnswer(complete: boolean) {
  const destroySoon = vi.fn();
  const socket = { destroySoon, destroy: vi.fn(), end: vi.fn() };
  const request = Object.assign(new PassThrough(), { socket, complete }) as unknown as IncomingMessage;
  const response = new EventEmitter() as unknown as ServerResponse;
  response.once('finish', () => {
    request.socket.destroySoon();
  });
  lingerOverUnread(request, response);
  response.emit('finish');
  return { ...socket, destroySoon, request };
}

describe('a connection that closes with its answer', () => {
  it('over unread bytes ends our side at once, throws away what arrives, and ends the whole five seconds later', () => {
    const { request, ...socket } = lastAnswer(false);
    expect(socket.destroySoon).not.toHaveBeenCalled();
    expect(socket.end).toHaveBeenCalledOnce();
    expect(request.readableFlowing).toBe(true);
    vi.advanceTimersByTime(4_999);
    expect(socket.destroy).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(socket.destroy).toHaveBeenCalledOnce();
  });

  it('after a request that was read is closed as ever', () => {
    const { request, ...socket } = lastAnswer(true);
    expect(request.readableFlowing).toBe(null);
    expect(socket.destroySoon).toHaveBeenCalledOnce();
    vi.runAllTimers();
    expect(socket.end).not.toHaveBeenCalled();
    expect(socket.destroy).not.toHaveBeenCalled();
  });

  it('sends its last bytes first', () => {
    const socket = { end: vi.fn(), destroy: vi.fn() };
    closeLingering(socket as unknown as IncomingMessage['socket'], 'HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(socket.end).toHaveBeenCalledExactlyOnceWith('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
});
