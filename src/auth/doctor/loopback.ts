import { once } from 'node:events';
import { createServer } from 'node:http';
import { isSecureAddress } from '../login/provider-rules.ts';

export type Loopback = Awaited<ReturnType<typeof listenForCallback>>;

/** Whether the address leads a browser on this machine here, and no other browser. */
export function isLoopbackAddress(address: string): boolean {
  if (!isSecureAddress(address, true)) return false;
  const { protocol, search, hash, port } = new URL(address);
  return protocol === 'http:' && search === '' && hash === '' && port !== '0';
}

const REQUEST_MS = 10_000;
const LIMITS = { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16_384 };
const MAX_CONNECTIONS = 16;
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign-in doctor</title>' +
  '<p>You can close this page. The doctor prints what it found in its terminal.</p></html>\n';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

/**
 * Listens on this machine for the browser that returns from the provider: at the redirect URI, on the loopback interface only, until one callback arrives.
 * @throws the listening error, such as `EADDRINUSE`
 */
export async function listenForCallback({ hostname, port, pathname }: URL, timeoutMs: number) {
  const { promise: callback, resolve } = Promise.withResolvers<string | undefined>();
  let isTaken = false;
  const server = createServer(LIMITS, ({ method, url = '' }, response) => {
    const [path, query = ''] = url.split('?', 2);
    // Browsers request icons.
    const refusal = path !== pathname ? 404 : method !== 'GET' ? 405 : query === '' ? 400 : undefined;
    const status = isTaken ? 410 : (refusal ?? 200);
    response.writeHead(status, HEADERS);
    response.end(status === 200 ? PAGE : `<!doctype html><title>${status}</title>\n`);
    if (status !== 200) return;
    isTaken = true;
    response.once('close', () => {
      resolve(url);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  // `localhost` may have two addresses; browsers try both.
  const host = hostname === '[::1]' ? '::1' : hostname === 'localhost' ? '127.0.0.1' : hostname;
  server.listen(Number(port || 80), host);
  await once(server, 'listening'); // Rejects with the server's error.
  const timer = setTimeout(resolve, timeoutMs, undefined);
  return {
    /** Path and query of the one callback; undefined if none came in time. */
    callback,
    close: async (): Promise<void> => {
      clearTimeout(timer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
