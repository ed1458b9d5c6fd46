import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a write between the command and the service. */
export type Fault =
  | 'none'
  | 'request lost'
  | 'answer lost'
  | 'bad gateway'
  | readonly [status: number, answer: string];

export interface Ingress {
  readonly url: string;
  /** The methods of what has come so far. */
  readonly methods: readonly string[];
  close(): void;
}

/** Passes on what commands send to a service, but not every write, or not every answer to one. */
export async function startIngress(
  target: string,
  fault: Fault,
  before: (method: string, url: string) => Promise<void> = () => Promise.resolve(),
): Promise<Ingress> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    methods.push(method);
    const isFaulty = method !== 'GET' && fault !== 'none';
    const passOn = async (): Promise<void> => {
      const pieces: Buffer[] = [];
      for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
      if (isFaulty && fault === 'request lost') {
        response.destroy();
        return;
      }
      if (isFaulty && typeof fault !== 'string') {
        response.writeHead(fault[0]).end(fault[1]);
        return;
      }
      await before(method, url);
      const answer = await fetch(`${target}${url}`, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
        ...(pieces.length === 0 ? {} : { body: Buffer.concat(pieces) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (isFaulty && fault === 'answer lost') response.destroy();
      else if (isFaulty) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      else
        response
          .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
          .end(body);
    };
    passOn().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
