import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestCertificate } from '../../fakes/certificate.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Plays one answer. */
export type Play = (response: ServerResponse, request: SeenRequest) => void;

export interface ScriptedServer {
  readonly url: string;
  /** Whole requests, in the order in which they came. */
  readonly seen: readonly SeenRequest[];
  /** Connections made so far. */
  readonly connections: () => number;
  /** Resolves when so many requests have been seen. */
  readonly hasSeen: (count: number) => Promise<void>;
  /** Resolves when a client has let go of a request before its answer was complete. */
  readonly abandoned: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServerOptions {
  readonly port?: number;
  readonly certificate?: TestCertificate;
}

/** Answers each request by the next play, and every further one by the last. */
export async function startScriptedServer(
  plays: readonly Play[],
  options: ServerOptions = {},
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const abandoned = Promise.withResolvers<undefined>();
  let connections = 0;

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => {
      if (!response.writableFinished) abandoned.resolve(undefined);
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      const play = plays[Math.min(seen.length, plays.length - 1)];
      seen.push(whole);
      for (const { count, resolve } of waiting) if (seen.length >= count) resolve();
      play?.(response, whole);
    });
  };
  const { certificate, port = 0 } = options;
  const server = certificate ? createHttpsServer({ ...certificate }, listener) : createHttpServer(listener);
  server.on('connection', (_socket: Socket) => connections++);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    seen,
    connections: () => connections,
    hasSeen: (count) =>
      seen.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    abandoned: abandoned.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Play {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

/** A failure as the cluster words it. */
export function refuse(
  status: number,
  reason: string,
  details: object = {},
  headers: Readonly<Record<string, string>> = {},
): Play {
  const message = 'text of the cluster: hunter2';
  return answer(
    status,
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, details },
    headers,
  );
}

/** Takes the request and never says a word. */
export const hang: Play = () => undefined;

/** Takes the request and cuts the connection. */
export const cut: Play = (response) => {
  response.destroy();
};

/** Begins an answer and cuts the connection within its body. */
export function cutWithin(status: number): Play {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"kind":', () => response.destroy());
  };
}

/** Begins an answer and says no more. */
export function stallWithin(status: number): Play {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.write('{"kind":');
  };
}
