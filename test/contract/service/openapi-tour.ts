import { apiRoutes } from '../../../hack/openapi/document.ts';
import { annotation } from '../../harness/annotation.ts';
import {
  ADMIN,
  clientFor,
  DEVELOPER_A,
  DEVELOPER_B,
  type ApiAnswer,
  type ApiClient,
  type ApiRequest,
} from '../../harness/api-client.ts';
import { secretOf } from '../../harness/answers.ts';
import { rawRequest } from '../../harness/raw-request.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import type { Stack } from '../../harness/stack.ts';
import { visitTerminal } from './openapi-tour-terminal.ts';

/** One request of the tour, and its answer. */
export interface Seen {
  readonly method: string;
  readonly route: string;
  readonly answer: ApiAnswer;
}

const NAMED = '/api/namespaces/:namespace/secrets/:name';
const COLLECTION = '/api/namespaces/:namespace/secrets';
const DELETED = '/api/namespaces/:namespace/deleted';

let stack: Stack;
let namespace: string;
/** Of a Secret that was deleted with archive. */
let uid: string;
const seen: Seen[] = [];

const CROSS_SITE = { headers: { 'sec-fetch-site': 'cross-site' } };

/** Every route, in every way that it can be answered without the cluster's help. */
export async function tour(on: Stack, inNamespace: string): Promise<readonly Seen[]> {
  stack = on;
  namespace = inNamespace;
  const { url } = await stack.anotherService({
    env: { SERVICE_RATE_LIMIT: '1/1m', SERVICE_LOGIN_RATE_LIMIT: '1/1m', SERVICE_NAMESPACES: 'elsewhere' },
  });
  const limited = await clientFor(url, DEVELOPER_B);
  await visitSignIn();
  seen.push(await visitTerminal(stack.service.url, visit));
  await visitWithoutHost();
  await visit('a', 'POST /api/auth/logout');
  await visit('a', 'POST /api/auth/logout', {}, CROSS_SITE);

  const restored = await visitOwnSecret();
  await visitBinarySecret();
  await visitConsumers();
  await visitUntouchable();
  await visit('a', `GET ${COLLECTION}`, toured());
  await visit('a', `GET ${COLLECTION}?limit=500`, toured());
  for (const query of ['q=toured', 'q=']) await visit('a', `GET /api/search?${query}`);
  await visit('anonymous', 'GET /api/search?q=toured');
  for (const query of ['', '?within=1m']) await visit('a', `GET /api/expiring${query}`);
  await visit('anonymous', 'GET /api/expiring');
  // Of another person.
  await visit('a', `GET ${COLLECTION}?limit=1&continue=${await goneToken()}`, toured());
  await visitDeletions(restored.resourceVersion);
  await visitDeleted();

  await visitBadRequests();
  await visitForbidden();
  await visitLimited(limited);
  await visitOutOfScope(url);
  return seen;
}

type Visitor = 'admin' | 'a' | 'guest' | 'anonymous';

/** @param operation the method and the route */
async function visit(
  who: Visitor,
  operation: string,
  params: object = {},
  request: ApiRequest = {},
): Promise<ApiAnswer> {
  const { admin, developerA: a, guest, anonymous } = stack;
  const [method = '', route = ''] = operation.split(' ');
  const answer = await { admin, a, guest, anonymous }[who].send(method, filled(route, params), request);
  seen.push({ method, route: route.split('?')[0] ?? route, answer });
  return answer;
}

const toured = () => ({ namespace, name: 'toured' });
const binary = () => ({ namespace, name: 'binary' });
const anySegment = () => ({ ...binary(), version: '1', uid, key: 'b' });
const routesOfSecrets = () =>
  apiRoutes().filter(({ path }) => path.startsWith(COLLECTION) || path.startsWith(DELETED));
const hasBody = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method);

async function visitSignIn(): Promise<void> {
  for (const route of ['/api/auth/me', '/api/access', '/api/namespaces']) {
    await visit('a', `GET ${route}`);
    await visit('anonymous', `GET ${route}`);
  }
  for (const named of [namespace, 'No_Name']) await visit('a', `GET /api/access?namespace=${named}`);
  for (const route of [
    '/api/config',
    '/api/openapi.json',
    '/api/auth/login',
    '/api/auth/callback',
    '/api/auth/logout',
  ]) {
    await visit('anonymous', `GET ${route}`);
  }
}

/** The header is there, but names no host. */
async function visitWithoutHost(): Promise<void> {
  for (const { method, path } of apiRoutes().filter(({ access }) => ['public', 'session'].includes(access))) {
    const { headers, ...rest } = await rawRequest(stack.service.url, {
      method,
      path,
      headers: { host: 'a,b' },
    });
    const sent = new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    seen.push({ method, route: path, answer: { ...rest, headers: sent, json: JSON.parse(rest.text) } });
  }
}

/** Creates, updates and restores; the Secret as it is afterwards. */
async function visitOwnSecret() {
  const me = toured();
  const create = (json: object, at: object = me) => visit('a', `POST ${COLLECTION}`, at, { json });
  const update = (json: object) => visit('a', `PUT ${NAMED}`, me, { json });
  const tooLarge = { a: 'x'.repeat(1_048_577) };
  const first = secretOf(await create({ name: 'toured', data: { a: '1' } }), 201);
  await create({ name: 'toured' });
  await create({ name: 'x', type: 'kubernetes.io/tls' });
  await create({ name: 'x' }, { namespace: `no-${namespace}` });
  await create({ name: 'x', data: tooLarge });
  const { resourceVersion } = secretOf(await update({ resourceVersion: first.resourceVersion }));
  await update({ resourceVersion: '0' });
  await update({ resourceVersion, data: tooLarge });
  const patch = (json: object) => visit('a', `PATCH ${NAMED}`, me, { json });
  const patched = secretOf(await patch({ resourceVersion, set: { b: '2' } }));
  await patch({ resourceVersion: '0', set: { b: '2' } });
  await patch({ resourceVersion: patched.resourceVersion, remove: ['absent'] });
  await visit('a', `GET ${NAMED}/versions`, me);
  await visit('a', `GET ${NAMED}/versions/:version`, { ...me, version: '1' });
  await visit('a', `GET ${NAMED}/versions/:version`, { ...me, version: 'x' });
  await visit('a', `GET ${NAMED}/keys/:key`, { ...me, key: 'a' });
  for (const version of ['1', 'x']) {
    await visit('a', `GET ${NAMED}/versions/:version/keys/:key`, { ...me, version, key: 'a' });
  }
  await visit('a', `GET ${NAMED}?values=false`, me);
  const json = { resourceVersion: patched.resourceVersion, version: 1 };
  const restore = () => visit('a', `POST ${NAMED}/restore`, me, { json });
  const restored = secretOf(await restore());
  await restore();
  return restored;
}

async function visitBinarySecret(): Promise<void> {
  await stack.kube.createSecret(
    namespace,
    nativeSecret('binary', { b: Uint8Array.of(0) }, { type: 'platform.io/tls' }),
  );
  const { resourceVersion } = secretOf(await visit('a', `GET ${NAMED}`, binary()));
  await visit('a', `PUT ${NAMED}`, binary(), { json: { resourceVersion, data: {} } });
  await visit('a', `POST ${NAMED}/restore`, binary(), { json: { resourceVersion, version: 1 } });
}

/** With restarts, and without them. */
async function visitConsumers(): Promise<void> {
  await visit('a', `GET ${NAMED}/access`, binary());
  for (const query of ['', '?progress=true']) await visit('a', `GET ${NAMED}/consumers${query}`, binary());
  await visit('a', `POST ${NAMED}/restart`, binary());
  const stranger = { json: { consumers: [{ kind: 'Deployment', name: 'stranger' }] } };
  await visit('a', `POST ${NAMED}/restart`, binary(), stranger);
  const withoutRestart = await clientFor((await stack.anotherService()).url, DEVELOPER_B);
  for (const [method, below] of [
    ['GET', 'consumers'],
    ['POST', 'restart'],
  ] as const) {
    const route = `${NAMED}/${below}`;
    seen.push({ method, route, answer: await withoutRestart.send(method, filled(route, binary())) });
  }
}

async function goneToken(): Promise<string> {
  const path = `${filled(COLLECTION, toured())}?limit=1`;
  const { continue: token = '' } = (await stack.admin.get(path)).json as { continue?: string };
  return token;
}

async function visitUntouchable(): Promise<void> {
  const token = nativeSecret('token', {}, { type: 'platform.io/service-account-token' });
  const { resourceVersion } = (await stack.kube.createSecret(namespace, token)).metadata;
  const request = { json: { resourceVersion, version: 1 } };
  await visit('a', `POST ${NAMED}/restore`, { namespace, name: 'token' }, request);
}

/** @param revision of the Secret that the tour created */
async function visitDeletions(revision: string): Promise<void> {
  const held = nativeSecret('held', {}, { metadata: { finalizers: ['example.com/hold'] } });
  const { metadata } = await stack.kube.createSecret(namespace, held);
  const remove = (name: string, resourceVersion: string) =>
    visit('a', `DELETE ${NAMED}?resourceVersion=${resourceVersion}`, { namespace, name });
  await remove('held', metadata.resourceVersion ?? '');
  await stack.kube.patchSecret(namespace, 'held', { metadata: { finalizers: null } });
  await remove('toured', '0');
  await remove('toured', revision);
}

/** Restores, removes and lists Secrets that were deleted with archive. */
async function visitDeleted(): Promise<void> {
  uid = await deleteArchived(nativeSecret('gone'));
  const restore = (of: string) => visit('a', `POST ${DELETED}/:uid/restore`, { namespace, uid: of });
  const remove = (of: string) => visit('a', `DELETE ${DELETED}/:uid`, { namespace, uid: of });
  await visit('a', `GET ${DELETED}`, { namespace });
  await visit('a', `GET ${DELETED}?limit=1`, { namespace });
  await visit('a', `GET ${DELETED}?limit=1&continue=${'A'.repeat(166)}`, { namespace });
  await restore(uid);
  await restore(uid);
  const robot = { type: 'platform.io/service-account-token' };
  await restore(await deleteArchived(nativeSecret('robot', {}, robot)));
  await remove(await deleteArchived(nativeSecret('removed')));
  const held = { metadata: { finalizers: ['example.com/hold'] } };
  await remove(await deleteArchived(nativeSecret('pending', {}, held)));
  await stack.kube.patchSecret(namespace, 'pending', { metadata: { finalizers: null } });
  const annotations = { [annotation('description')]: 'd'.repeat(100_000) };
  const type = `example.com/${'t'.repeat(200_000)}`;
  await deleteArchived(nativeSecret('large', {}, { type, metadata: { annotations } }));
}

/** The UID of the Secret that was created and deleted. */
async function deleteArchived(secret: object): Promise<string> {
  const { metadata } = await stack.kube.createSecret(namespace, secret);
  const query = `resourceVersion=${metadata.resourceVersion ?? ''}&keepHistory=true&archive=true`;
  await visit('a', `DELETE ${NAMED}?${query}`, { namespace, name: metadata.name });
  return metadata.uid ?? '';
}

async function visitBadRequests(): Promise<void> {
  for (const { method, path } of routesOfSecrets()) {
    const operation = `${method} ${path}`;
    const json = hasBody(method) ? { json: {} } : {};
    await visit('anonymous', operation, anySegment(), json);
    await visit('a', operation, { ...anySegment(), namespace: 'Bad_Name' }, json);
    const absent = { namespace, name: 'absent', version: '1', uid: 'absent' };
    if (path !== COLLECTION) await visit('a', operation, absent, json);
    if (!hasBody(method)) continue;
    await visit('a', operation, anySegment(), { body: 'x' });
    await visit('a', operation, anySegment(), CROSS_SITE);
    await visit('a', operation, anySegment(), {
      body: ' '.repeat(16 * 1_048_576 + 1),
      headers: { 'content-type': 'application/json' },
    });
  }
  await visit('a', `DELETE ${NAMED}`, binary(), CROSS_SITE);
}

/** By a policy that names another person, and by one that cannot be read. */
async function visitForbidden(): Promise<void> {
  await stack.kube.setPolicy(namespace, { allowedUsers: '["no-one@example.com"]' });
  await visitAsGuest({});
  await stack.kube.setPolicy(namespace, { allowedUsers: 'broken' });
  // Answered by the cluster: memory may not have the policy yet.
  await visitAsGuest({ headers: { 'cache-control': 'no-cache' } });
}

async function visitAsGuest(request: ApiRequest): Promise<void> {
  for (const { method, path } of routesOfSecrets()) {
    const json = hasBody(method) ? { json: {} } : {};
    await visit('guest', `${method} ${path}`, anySegment(), { ...json, ...request });
  }
}

async function visitLimited(limited: ApiClient): Promise<void> {
  await limited.get('/api/auth/callback');
  seen.push({ method: 'GET', route: COLLECTION, answer: await limited.get(filled(COLLECTION, toured())) });
  for (const { method, path } of apiRoutes().filter(({ path }) =>
    /^\/api\/(access|namespaces|search|expiring|auth\/(login|callback|code|token))/.test(path),
  )) {
    const answer = await limited.send(method, filled(path, anySegment()));
    seen.push({ method, route: path, answer });
  }
}

/** With people who have a request left. */
async function visitOutOfScope(url: string): Promise<void> {
  const client = await clientFor(url, DEVELOPER_A);
  seen.push({ method: 'GET', route: DELETED, answer: await client.get(filled(DELETED, { namespace })) });
  const admin = await clientFor(url, ADMIN);
  const answer = await admin.get(`/api/access?namespace=${namespace}`);
  seen.push({ method: 'GET', route: '/api/access', answer });
}

function filled(route: string, params: object): string {
  return route.replaceAll(
    /:([a-z]+)/g,
    (_match, name: string) => (params as Record<string, string>)[name] ?? name,
  );
}
