import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isSecureAddress } from '../login/provider-rules.ts';

export type Loopback = Awaited<ReturnType<typeof listenForCallback>>;

/** Whether the address leads a browser on this machine here, and no other browser. */
export function isLoopbackAddress(address: string): boolean {
  if (!isSecureAddress(address, true)) return false;
  const { protocol, search, hash, port } = new URL(address);
  return protocol === 'http:' && search === '' && hash === '' && port !== '0';
}

const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 16;
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in doctor</title>' +
  '<p>You can close this page. The doctor prints what it found in its terminal.</p></html>\n';

/**
 * Listens on this machine for the browser that returns from the provider: at the redirect URI, on the loopback interface only, until one callback arrives.
 * @throws the listening error, such as `EADDRINUSE`
 */
export async function listenForCallback(redirectUri: URL, timeoutMs: number) {
  const { promise: callback, resolve } = Promise.withResolvers<string | undefined>();
  let isTaken = false;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const status = isTaken ? 410 : statusFor(request, redirectUri.pathname);
    respond(response, status);
    if (status !== 200) return;
    isTaken = true;
    response.once('close', () => {
      resolve(request.url);
    });
  };
  const limits = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16_384 };
  const server = createServer(limits, handle);
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(Number(redirectUri.port || 80), listenHost(redirectUri));
  await once(server, 'listening'); // Rejects with the server's error.
  const timer = setTimeout(resolve, timeoutMs, undefined);
  return {
    /** Path and query of the one callback; undefined if none came in time. */
    callback,
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await close(server);
    },
  };
}

/** `localhost` may have two addresses; browsers try both. */
function listenHost({ hostname }: URL): string {
  if (hostname === '[::1]') return '::1';
  return hostname === 'localhost' ? '127.0.0.1' : hostname;
}

function statusFor({ method, url = '' }: IncomingMessage, callbackPath: string): number {
  const [path, query] = url.split('?', 2);
  if (path !== callbackPath) return 404; // Browsers request icons.
  if (method !== 'GET') return 405;
  return query === undefined || query === '' ? 400 : 200;
}

function respond(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(status === 200 ? PAGE : `<!doctype html><title>${status}</title>\n`);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
