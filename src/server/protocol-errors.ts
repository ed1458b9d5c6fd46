import { randomUUID } from 'node:crypto';
import {
  maxHeaderSize,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  type IncomingMessage,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../observability/logger.ts';
import { readInTurns } from './paced-reading.ts';

/** How long a client may continue to send before its connection is cut. */
export const LINGER_MS = 5_000;

/**
 * Ends our side of a connection, and the whole connection a moment later. A connection that is closed with unread bytes
 * is reset, and the reset can overtake the response to a client that is still sending. Node would close immediately.
 */
export function closeLingering(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Closes the connection this way if it closes with this response and the request was not read to its end. Until then
 * the remaining bytes are read and discarded in portions: some clients read the response only after they have sent
 * everything.
 */
export function lingerOverUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  // Runs before Node's own listener, which calls `destroySoon` if this response is the connection's last.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    // Here, so that Node does not discard it at the sender's speed.
    request.read();
    readInTurns(request);
    request.resume();
    socket.destroySoon = () => {
      closeLingering(socket);
    };
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

const TOO_MANY_HEADERS = { status: 431, text: 'The request has too many header fields' };
const TOO_LARGE_HEADERS = { status: 431, text: 'The header fields of the request are too large' };
const TOO_LATE = { status: 408, text: 'The request took too long to arrive' };
const MALFORMED = { status: 400, text: 'The request is not valid HTTP' };
const NO_ADDRESS = { status: 400, text: 'The request target is not an address' };

/** By Node's codes. Its messages, and the bytes that it failed on, are never logged or sent. */
const VERDICTS = new Map([
  ['HPE_HEADER_OVERFLOW', TOO_LARGE_HEADERS],
  ['ERR_HTTP_REQUEST_TIMEOUT', TOO_LATE],
]);

/**
 * Answers requests that Node cannot parse, in the form of all other errors. Node's own responses would lack
 * `Cache-Control: no-store` and a body.
 */
export function answerProtocolErrors(server: Server, logger: Logger): void {
  server.maxHeadersCount = MAX_HEADER_FIELDS + 1;
  const current = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => {
    current.set(socket, response);
    // An idle connection must not keep the objects of its last request.
    response.once('close', () => {
      if (current.get(socket) === response) current.delete(socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writableEnded) return; // The rest of a request that is answered already.
    const begun = current.get(socket);
    const isAnswering = begun !== undefined && begun.headersSent && !begun.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering || isUnused(error, socket)) {
      socket.destroy();
      return;
    }
    const { status, text } = VERDICTS.get(error.code ?? '') ?? MALFORMED;
    const body = JSON.stringify({ error: text });
    const headers = { ...loggedHeaders(status, logger), 'Content-Length': Buffer.byteLength(body) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    closeLingering(
      socket,
      [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'),
    );
  });
}

/** A connection without any request: there is nothing to answer and nothing to log. */
function isUnused(error: NodeJS.ErrnoException, socket: Duplex): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && 'bytesRead' in socket && socket.bytesRead === 0;
}

/** As many header fields as common servers accept. Node would silently drop those beyond its own limit. */
const MAX_HEADER_FIELDS = 100;

/**
 * A path, or a whole address (RFC 9112, sections 3.2.1 and 3.2.2), of ASCII without a fragment. What else Node's parser
 * lets through, Express may fail to parse, and it would then answer by itself.
 */
const TARGET = /^(?:https?:\/\/[\w.:[\]-]+(?:[/?][!"$-~]*)?|\/[!"$-~]*)$/i;

/**
 * Answers a request with too many header fields, or too large ones, or without an address, before anything else reads it.
 * @returns whether it did
 */
export function refuseHead(request: IncomingMessage, response: ServerResponse, logger: Logger): boolean {
  const { url = '', rawHeaders } = request;
  // Of HTTP/1.1, Node's parser has refused them.
  const isTooLarge = url.length + rawHeaders.join('').length > maxHeaderSize;
  const isTooMany = rawHeaders.length > 2 * MAX_HEADER_FIELDS;
  if (!isTooLarge && !isTooMany && TARGET.test(url) && URL.canParse(url, 'http://host')) return false;
  const { status, text } = isTooLarge ? TOO_LARGE_HEADERS : isTooMany ? TOO_MANY_HEADERS : NO_ADDRESS;
  response.statusCode = status;
  for (const [name, value] of Object.entries(loggedHeaders(status, logger))) response.setHeader(name, value);
  response.end(JSON.stringify({ error: text }));
  return true;
}

/** Answers a request over HTTP/2 whose body did not arrive in time. Its own line is in the log. */
export function refuseLate(response: ServerResponse): void {
  if (response.headersSent) return;
  response.setHeader('Content-Type', JSON_TYPE);
  response.writeHead(TOO_LATE.status).end(JSON.stringify({ error: TOO_LATE.text }));
}

/** Logs a refused request. @returns the header fields of its answer, with the id of the log line */
function loggedHeaders(status: number, logger: Logger) {
  const requestId = randomUUID();
  logger.info('request', { requestId, method: 'other', route: 'none', status, reason: 'protocolError' });
  return {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    'X-Request-Id': requestId,
  };
}
