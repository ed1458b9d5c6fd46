import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthentication, type Authentication } from '../../../src/auth/authentication.ts';
import type { Fetch } from '../../../src/auth/provider-fetch.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { isServiceError } from '../../../src/errors/service-error.ts';
import { createLogger } from '../../../src/observability/logger.ts';

/** The doors of src/auth behind a bare HTTP server, so that they can be tried without the API room. */
export interface AuthServer {
  readonly url: string;
  readonly authentication: Authentication;
  /** Every log line so far, at the most verbose level. */
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

export interface AuthServerOptions {
  /** Called with the server's own address before it answers: the time to start a provider for it. */
  readonly environment: (
    url: string,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  readonly fetch?: Fetch;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

export async function startAuthServer(options: AuthServerOptions): Promise<AuthServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = (server.address() as AddressInfo).port;
  const url = `http://localhost:${port}`;
  const logLines: string[] = [];
  const { fetch, timeoutMs, now = Date.now } = options;
  const authentication = createAuthentication({
    settings: readSettings({ NEXT_PUBLIC_APP_URL: url, ...(await options.environment(url)) }),
    logger: createLogger('trace', { write: (line: string) => void logLines.push(line) }),
    now,
    ...(fetch === undefined ? {} : { fetch }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  server.on('request', (request, response) => void answer(authentication, request, response));
  return { url, authentication, logLines, close: () => close(server) };
}

async function answer(
  authentication: Authentication,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '/' } = request;
  const path = url.split('?')[0];
  const { cookie } = request.headers;
  try {
    if (path === '/api/auth/login') redirect(response, await authentication.begin());
    else if (path === '/api/auth/callback') {
      redirect(response, await authentication.finish(url, cookie, `http://${request.headers.host ?? ''}`));
    } else {
      const user = (await authentication.authenticate(cookie)) ?? null;
      response.writeHead(user === null ? 401 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ user }));
    }
  } catch (error) {
    const known = isServiceError(error, 'notConfigured', 'providerUnavailable');
    response.writeHead(known && error.code === 'notConfigured' ? 501 : known ? 502 : 500);
    response.end(known ? JSON.stringify({ error: error.message }) : 'unexpected');
  }
}

function redirect(
  response: ServerResponse,
  step: { readonly redirectTo: string; readonly setCookies: readonly string[] },
): void {
  response.writeHead(302, { location: step.redirectTo, 'set-cookie': [...step.setCookies] });
  response.end();
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
