import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

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
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request that `fetch` would tidy up or refuse, or whose body it would insist on sending whole. */
export async function rawRequest(
  base: string,
  { method = 'GET', path, headers, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  const shared = body === undefined ? { agent } : { agent: false as const };
  const outgoing = request({ hostname, port, method, path, headers, ...shared });
  let sent = 0;
  let answered = false;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', (incoming) => {
      answered = true;
      resolve(incoming);
    });
    // Once there is an answer, the service may close the connection under a body that is still being sent.
    outgoing.on('error', (error) => {
      if (!answered) reject(error);
    });
  });
  const upload = async (): Promise<void> => {
    for (const chunk of body ?? []) {
      if (outgoing.destroyed || answered) return;
      sent += chunk.byteLength;
      if (!outgoing.write(chunk))
        await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close'), answer]);
    }
    outgoing.end();
  };
  const uploaded = upload();
  const incoming = await answer;
  const sentBefore = sent;
  const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString('utf8');
  await uploaded;
  if (body !== undefined) outgoing.destroy();
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, sent: sentBefore };
}

/** Writes bytes that need not be HTTP, and returns everything that comes back until the service closes the connection. */
export async function rawExchange(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.end(Buffer.from(bytes, 'latin1'));
  return Buffer.concat((await socket.toArray()) as Buffer[]).toString('utf8');
}
