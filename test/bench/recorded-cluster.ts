import { createReadStream, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// As much of a cluster API as the service needs to start, with a list of Secrets whose pages are files:
// recorded-cluster.ts <folder of the pages> <kubeconfig to write>

const [recording = '', kubeconfig = ''] = process.argv.slice(2);
const REVISION = '9000000';
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster.invalid');
  if (pathname === '/version') send(response, { major: '1', minor: '36', gitVersion: 'v1.36.2' });
  else if (searchParams.get('watch') === 'true') watch(response);
  else if (pathname === '/api/v1/secrets') sendPage(searchParams.get('continue') ?? '0', response);
  else if (request.method === 'GET' && pathname.endsWith('s')) send(response, emptyList(pathname));
  else send(response, request.method === 'GET' ? notFound(pathname) : noNamespace(pathname), 404);
});

/** Nothing ever happens. */
function watch(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
}

function sendPage(page: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  createReadStream(join(recording, String(Number(page)))).pipe(response);
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function emptyList(pathname: string): object {
  return {
    kind: `${kindOf(pathname)}List`,
    apiVersion: 'v1',
    metadata: { resourceVersion: REVISION },
    items: [],
  };
}

/** Names what is absent: without a name, the resource itself is not served. */
function notFound(pathname: string): object {
  const [, , group] = pathname.split('/');
  const [kind, name] = pathname.split('/').slice(-2);
  return statusOf({ name, kind, group });
}

/** The Lease of a benchmark's service is in a namespace that does not exist. */
function noNamespace(pathname: string): object {
  return statusOf({ name: pathname.split('/').at(-2), kind: 'namespaces' });
}

function statusOf(details: object): object {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { ...status, message: 'not found', reason: 'NotFound', details, code: 404 };
}

function kindOf(pathname: string): string {
  const kinds: Readonly<Record<string, string>> = {
    namespaces: 'Namespace',
    configmaps: 'ConfigMap',
    secrets: 'Secret',
  };
  return kinds[pathname.split('/').at(-1) ?? ''] ?? 'Object';
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'recorded',
    contexts: [{ name: 'recorded', context: { cluster: 'recorded', user: 'recorded' } }],
    clusters: [{ name: 'recorded', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'recorded', user: {} }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  process.stdout.write('ready\n');
});
process.once('SIGTERM', () => {
  process.exit(0);
});
