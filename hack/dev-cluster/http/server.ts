import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ApiError } from '../api/status.ts';
import { errorResponse, type ApiResponse } from './api-response.ts';
import { DEV_PREFIX } from './dev-api.ts';
import { writeResponse } from './pipeline.ts';

export interface ServerParts {
  readonly api: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly devApi: (url: URL, incoming: IncomingMessage) => Promise<ApiResponse>;
  readonly log: (line: string) => void;
}

/** Listens and answers; rejects when the port cannot be had. */
export async function listen(
  parts: ServerParts,
  host: string,
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer((incoming, response) => {
    respond(parts, incoming, response).catch((error: unknown) => {
      fail(parts.log, response, error);
    });
  });
  // A server that closes idle connections races with the next request on them; the real one waits for minutes.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}` };
}

async function respond(
  parts: ServerParts,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = incoming.url ?? '/';
  if (!path.startsWith(DEV_PREFIX)) return parts.api(incoming, response);
  writeResponse(response, await parts.devApi(new URL(path, 'http://cluster.invalid'), incoming));
}

function fail(log: (line: string) => void, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof ApiError) {
    writeResponse(response, errorResponse(error));
    return;
  }
  log(
    `a request failed inside the development cluster: ${error instanceof Error ? (error.stack ?? '') : 'unknown'}`,
  );
  writeResponse(response, errorResponse(new ApiError(500, 'InternalError', 'Internal error occurred')));
}
