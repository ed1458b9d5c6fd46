import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { authorize, discoveryDocument, jwks, token, userInfo, type Reply, type Stage } from './endpoints.ts';
import { createSigningKeys } from './forge-jwt.ts';
import { slugOf, type HostileCase } from './hostile-case.ts';

/** Requests that the provider has received for one case, by endpoint. */
export type RequestCounts = ReadonlyMap<string, number>;

export interface HostileIdp {
  readonly origin: string;
  /** Part of everything that must not reach a log line, a redirect or an error. */
  readonly canary: string;
  /** The issuer that plays this case. */
  issuerOf(hostile: HostileCase): string;
  /** Requests so far for this case; `stolen` counts what went where a redirect pointed. */
  requestsOf(hostile: HostileCase): RequestCounts;
  /** From now on, the issuer of the case behaves as `now` says; its name stays. */
  change(hostile: HostileCase, now: Omit<HostileCase, 'name' | 'expect'>): void;
  close(): Promise<void>;
}

/** A small OpenID provider that misbehaves as the case of the requested issuer says. */
export async function startHostileIdp(cases: readonly HostileCase[], port = 0): Promise<HostileIdp> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const canary = 'c4n4ry-9d2f';
  const keys = createSigningKeys();
  const counts = new Map<string, Map<string, number>>();
  const stages = new Map<string, Stage>(
    cases.map((hostile) => {
      const slug = slugOf(hostile);
      counts.set(slug, new Map());
      return [
        slug,
        { hostile, issuer: `${origin}/${slug}`, origin, keys, canary, pending: new Map(), counts: new Map() },
      ];
    }),
  );
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin);
    const [, slug = '', ...rest] = url.pathname.split('/');
    const endpoint = rest.at(-1) ?? '';
    const stage = stages.get(slug);
    const counted = counts.get(slug);
    counted?.set(endpoint, (counted.get(endpoint) ?? 0) + 1);
    const reply = stage && answerOf(endpoint, stage, url, request, await readBody(request));
    if (reply === undefined) response.writeHead(404).end();
    else await send(response, reply);
  };
  server.on('request', (request, response) => void handle(request, response));
  return {
    origin,
    canary,
    issuerOf: (hostile) => `${origin}/${slugOf(hostile)}`,
    requestsOf: (hostile) => counts.get(slugOf(hostile)) ?? new Map(),
    change: (hostile, now) => {
      const stage = stages.get(slugOf(hostile));
      if (stage === undefined) throw new Error(`no such case: ${hostile.name}`);
      stages.set(slugOf(hostile), { ...stage, hostile: { ...hostile, ...now } });
    },
    close: () => close(server),
  };
}

function answerOf(
  endpoint: string,
  stage: Stage,
  url: URL,
  { headers }: IncomingMessage,
  form: string,
): Reply | undefined {
  switch (endpoint) {
    case 'openid-configuration':
      return discoveryDocument(stage);
    case 'authorize':
      return authorize(stage, url.searchParams);
    case 'token':
      return token(stage, new URLSearchParams(form), headers.authorization);
    case 'userinfo':
      return userInfo(stage);
    case 'jwks':
      return jwks(stage);
    default:
      return undefined;
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const { status, contentType, body, location, headers } = reply;
  if (body === 'silent') return;
  response.writeHead(status, {
    'content-type': contentType,
    'x-planted': 'c4n4ry-9d2f-header',
    ...(location === undefined ? {} : { location }),
    ...(body === 'bomb' ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  });
  if (body === 'bomb') response.end(GZIP_BOMB);
  else if (body === 'reset') response.write('{', () => response.destroy());
  else if (body === 'slow') response.flushHeaders();
  else if (body === 'drip') await flow(response, ' ', 20);
  else if (body === 'huge') await flow(response, ' '.repeat(65_536), 0);
  else response.end(body);
}

/** Made before the first request, so that the making does not count as the provider's silence. */
const GZIP_BOMB = gzipSync(Buffer.alloc(16_777_216, ' '));

/** Writes for as long as anyone reads, and at most 64 MiB, so that a reader without bounds is found out. */
async function flow(response: ServerResponse, chunk: string, pauseMs: number): Promise<void> {
  async function* chunks() {
    for (let sent = 0; sent < 67_108_864; sent += chunk.length) {
      yield chunk;
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }
  await pipeline(chunks, response).catch((error: unknown) => {
    // A reader with bounds hangs up: that is what this is for.
    if (!HANG_UPS.includes((error as NodeJS.ErrnoException).code)) throw error;
  });
}

const HANG_UPS: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'];

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
