import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** A request of which the head and a part of the body are sent. */
export interface HeldRequest {
  /** Bytes of the body that were sent. */
  readonly sent: number;
  /** Sends the rest, and returns the answer. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
}

export interface HeldRequestOptions {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly cookie: string;
  /** How much of the body's bytes is sent at first. */
  readonly part: (bytes: number) => number;
}

export function holdRequest(base: string, options: HeldRequestOptions): HeldRequest {
  const { method, path, body, cookie, part } = options;
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = part(bytes.byteLength);
  const { hostname, port } = new URL(base);
  const headers = { cookie, 'content-type': 'application/json', 'content-length': bytes.byteLength };
  const outgoing = request({ hostname, port, method, path, agent: false, headers });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // It is awaited in `finish`; until then a failure must not end the process.
  answered.catch(() => undefined);
  outgoing.flushHeaders();
  if (sent === bytes.byteLength) outgoing.end(bytes);
  else if (sent > 0) outgoing.write(bytes.subarray(0, sent));
  return {
    sent,
    async finish() {
      if (sent < bytes.byteLength) outgoing.end(bytes.subarray(sent));
      const [incoming] = await answered;
      const pieces = (await incoming.toArray()) as Buffer[];
      return { status: incoming.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') };
    },
  };
}
