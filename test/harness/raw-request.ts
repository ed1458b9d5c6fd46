import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Bytes of the body that were written before the answer was there. */
  readonly sent: number;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent as it is: not normalized, not encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one after the other, as fast as they are taken; with a `content-length` header unless chunked. */
  readonly body?: Iterable<Uint8Array>;
  /** Cuts the connection after the body instead of ending the request; the promise rejects. */
  readonly abort?: boolean;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request that `fetch` would tidy up or refuse, or whose body it would insist on sending whole. */
export async function rawRequest(base: string, wanted: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', path, headers, body, abort = false } = wanted;
  const { hostname, port } = new URL(base);
  const outgoing = request({
    hostname,
    port,
    method,
    path,
    headers: { ...headers },
    agent: body === undefined ? agent : false,
  });
  const state = { sent: 0, answered: false };
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', (incoming) => {
      state.answered = true;
      resolve(incoming);
    });
    // Once there is an answer, the service may close the connection under a body that is still being sent.
    outgoing.on('error', (error) => {
      if (!state.answered) reject(error);
    });
  });
  const chunks = Readable.from(untilAnswered(body ?? [], state));
  if (abort) chunks.once('end', () => outgoing.destroy());
  chunks.pipe(outgoing, { end: !abort });
  const incoming = await answer;
  const { sent } = state;
  const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString('utf8');
  if (body !== undefined) outgoing.destroy();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, sent };
}

function* untilAnswered(
  body: Iterable<Uint8Array>,
  state: { sent: number; readonly answered: boolean },
): Generator<Uint8Array> {
  for (const chunk of body) {
    if (state.answered) return;
    state.sent += chunk.byteLength;
    yield chunk;
  }
}

/** Writes bytes that need not be HTTP, and returns everything that comes back until the service closes the connection. */
export async function rawExchange(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.end(Buffer.from(bytes, 'latin1'));
  return Buffer.concat((await socket.toArray()) as Buffer[]).toString('utf8');
}
