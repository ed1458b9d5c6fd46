import { createReadStream, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// As much of a cluster API as the service needs to start, with one streaming list from a file:
// recorded-cluster.ts <recording> <kubeconfig to write>

const [recording = '', kubeconfig = ''] = process.argv.slice(2);
const REVISION = '9000000';
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster.invalid');
  if (pathname === '/version') send(response, { major: '1', minor: '36', gitVersion: 'v1.36.2' });
  else if (searchParams.get('watch') === 'true') watch(pathname, searchParams, response);
  else if (request.method === 'GET' && pathname.endsWith('s')) send(response, emptyList(pathname));
  else send(response, request.method === 'GET' ? notFound(pathname) : noNamespace(pathname), 404);
});

function watch(pathname: string, query: URLSearchParams, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const isInitial = query.get('sendInitialEvents') === 'true';
  if (isInitial && pathname === '/api/v1/secrets') {
    createReadStream(recording).pipe(response, { end: false });
    return;
  }
  response.flushHeaders();
  if (!isInitial) return;
  const metadata = { resourceVersion: REVISION, annotations: { 'k8s.io/initial-events-end': 'true' } };
  response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { kind: kindOf(pathname), metadata } })}\n`);
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
