import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { Agent, request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestCertificate } from '../fakes/certificate.ts';

export interface TlsRequest {
  readonly method: string;
  readonly path: string;
  /** A list is sent as a field for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface TlsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** The settings of a service that serves with this certificate, and what removes its files. */
export function tlsSettings({ cert, key }: TestCertificate) {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const env = {
    SERVICE_TLS_CERT_FILE: join(folder, 'tls.crt'),
    SERVICE_TLS_KEY_FILE: join(folder, 'tls.key'),
  };
  writeFileSync(env.SERVICE_TLS_CERT_FILE, cert);
  writeFileSync(env.SERVICE_TLS_KEY_FILE, key);
  const remove = (): void => {
    rmSync(folder, { recursive: true });
  };
  return { env, remove };
}

/** Sends a request on a connection of its own with HTTP/1.1. */
export async function overHttp1(port: number, ca: string, wanted: TlsRequest): Promise<TlsAnswer> {
  const { method, path, headers = {}, body } = wanted;
  const agent = new Agent({ ca, servername: 'localhost', keepAlive: false });
  const request = requestHttps({ host: '127.0.0.1', port, method, path, agent });
  request.setHeader('Host', `localhost:${String(port)}`);
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
  request.end(body);
  const [response] = (await once(request, 'response')) as [
    AsyncIterable<Buffer> & { readonly statusCode: number; readonly headers: IncomingHttpHeaders },
  ];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** A connection with HTTP/2. Its errors are those of its requests. */
export async function connectHttp2(
  port: number,
  ca: string,
  options: Parameters<typeof connect>[1] = {},
): Promise<ClientHttp2Session> {
  const session = connect(`https://localhost:${String(port)}`, { ca, host: '127.0.0.1', ...options });
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
  return session;
}

/** Sends a request over it. Pseudo-header fields may be among the headers, and then win. */
export async function overHttp2(session: ClientHttp2Session, wanted: TlsRequest): Promise<TlsAnswer> {
  const { method, path, headers = {}, body } = wanted;
  const fields = { ':method': method, ':path': path, ...headers } as OutgoingHttpHeaders;
  const stream = session.request(fields, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return answerOf(stream);
}

export async function answerOf(stream: ClientHttp2Stream): Promise<TlsAnswer> {
  const [headers] = (await once(stream, 'response')) as [Readonly<Record<string, unknown>>];
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const body = await buffer(stream);
  return { status: Number(headers[':status']), headers: Object.fromEntries(fields), body };
}
