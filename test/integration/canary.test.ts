import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_CLIENT_ID } from '../../hack/dev-idp/configuration.ts';
import { DEMO_ACCOUNTS } from '../../hack/dev-idp/accounts.ts';
import { startDevIdp, type DevIdp } from '../../hack/dev-idp/start-dev-idp.ts';
import { signInOverHttp } from '../../hack/sign-in-over-http.ts';
import { ADMIN, DEVELOPER_A, sessionCookie, type ApiClient } from '../harness/api-client.ts';
import { freePort } from '../harness/free-port.ts';
import { startInProcessStack, type InProcessStack } from '../harness/in-process-stack.ts';
import { nativeSecret } from '../harness/secret-paths.ts';
import { jsonOf } from '../harness/answers.ts';
import { secretsOf, type SecretsClient } from '../harness/secrets-client.ts';
import { workloadObject } from '../harness/workloads.ts';
import { TEST_SESSION_SECRET } from '../harness/service-process.ts';
import { badRequests, sendAll } from './canary/bad-requests.ts';
import { foundIn, formsOf, plant, type Planted } from './canary/planted.ts';
import { failureCases, failuresWith } from './canary/failure-cases.ts';
import { WORK, type Place, type Evidence } from './canary/work.ts';

// One canary for the whole service. Everything is driven at the most verbose level first; then every place is searched.

const TEXT = plant('text');
const BINARY_BYTES = Buffer.concat([Buffer.from([0, 1, 255]), Buffer.from(plant('binary').text)]);
const BINARY: Planted = {
  name: 'binary',
  text: BINARY_BYTES.toString('base64'),
  forms: [...formsOf(BINARY_BYTES), ...formsOf(BINARY_BYTES.subarray(3))],
};
const VALUES = [TEXT, BINARY];
const REFUSED = plant('refused');
const CLUSTER = plant('cluster');
/** More is learned on the way: cookies, codes, states. */
const CREDENTIALS: Planted[] = [
  plant('signing-key', TEST_SESSION_SECRET),
  plant('cluster-token', 'dev-token'),
];

const FAILURES = failuresWith(`${CLUSTER.text} ${TEXT.text}`);
const NAMESPACE_LIST = { verb: 'list', resource: 'namespaces' };

let idp: DevIdp;
let stack: InProcessStack;
let admin: ApiClient;
let developer: ApiClient;
/** Of a service that does not wait long for a cluster that hangs. */
let hurried: ApiClient;
/** Of a service that answers nothing from memory, and does not wait long either. */
let uncached: ApiClient;
const good: Evidence[] = [];
const bad: { route: string; answer: Evidence['answer'] }[] = [];

beforeAll(async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  idp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
  stack = await startInProcessStack({
    env: {
      PORT: String(port),
      NEXT_PUBLIC_APP_URL: url,
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
      LOG_LEVEL: 'trace',
      SERVICE_RESTART_ENABLED: 'true',
    },
  });
  admin = await stack.client(ADMIN);
  developer = await stack.client(DEVELOPER_A);
  hurried = await (await stack.another({ env: { PORT: '0' }, attemptTimeoutMs: 800 })).client(DEVELOPER_A);
  const env = { PORT: '0', SERVICE_LIST_CACHE: 'false' };
  uncached = await (await stack.another({ env, attemptTimeoutMs: 800 })).client(DEVELOPER_A);
  for (const user of [ADMIN, DEVELOPER_A]) {
    CREDENTIALS.push(plant(`session of ${user.email}`, (await sessionCookie(user)).split('.').at(-1)));
  }
  await signIn();
  await workThroughEverything();
  await meetEveryFailure();
  await sendEveryBadRequest();
}, 120_000);
afterAll(async () => {
  await stack.close();
  await idp.close();
});

/** A login as a browser makes it; its session, code, state, nonce, verifier and tokens are all learned. */
async function signIn(): Promise<void> {
  const learned = new Set<string>();
  const listening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const location = response.headers.get('location');
    const requested = input instanceof URL ? input : new URL(location ?? 'http://none.invalid');
    for (const url of [requested, new URL(location ?? '/', requested)]) {
      for (const name of ['code', 'state', 'nonce', 'code_challenge'])
        learned.add(url.searchParams.get(name) ?? '');
    }
    if (requested.origin === stack.url) {
      for (const cookie of response.headers.getSetCookie()) learned.add(/=([^;]*)/.exec(cookie)?.[1] ?? '');
    }
    return response;
  };
  const [account] = DEMO_ACCOUNTS;
  if (account === undefined) throw new Error('no demo account');
  const { email, password } = account;
  const cookie = await signInOverHttp({ serviceUrl: stack.url, account: email, password, fetch: listening });
  const me = await admin.send('GET', '/api/auth/me', { headers: { cookie } });
  expect(me.status).toBe(200);
  for (const text of learned) if (text.length >= 16) CREDENTIALS.push(plant('part of a login', text));
}

/** A namespace whose Secrets, made outside the service, hold the values; two have one version archived, one is deleted. */
async function prepare(): Promise<Place> {
  const namespace = await stack.namespace();
  const secrets = secretsOf(admin, namespace);
  await stack.kube.createSecret(namespace, nativeSecret('a', { text: TEXT.text, binary: BINARY_BYTES }));
  await stack.kube.createSecret(namespace, nativeSecret('text', { text: TEXT.text }));
  await stack.kube.createSecret(namespace, nativeSecret('gone', { text: TEXT.text, binary: BINARY_BYTES }));
  await createDeployment(namespace);
  const [a, text] = [await secrets.update('a'), await secrets.update('text')];
  return {
    namespace,
    revisions: { a: a.resourceVersion, text: text.resourceVersion },
    deleted: await deleteArchived(secrets),
    data: { text: TEXT.text },
  };
}

/** As `prepare` left it: with the same live Secrets, and nothing more or less archived. */
async function expectUnchanged({ namespace, revisions }: Place): Promise<void> {
  const found = (await stack.kube.listSecrets(namespace)).map(({ metadata: { name, resourceVersion } }) =>
    name === 'a' || name === 'text' ? `${name} ${resourceVersion ?? ''}` : 'archived',
  );
  const archived = Array.from({ length: 3 }, () => 'archived');
  expect(found.sort()).toEqual([`a ${revisions.a}`, ...archived, `text ${revisions.text}`]);
}

async function deleteArchived(secrets: SecretsClient): Promise<string> {
  const { resourceVersion } = await secrets.read('gone');
  const path = secrets.deletePath('gone', resourceVersion, '&keepHistory=true&archive=true');
  return (jsonOf(await admin.delete(path), 200) as { uid: string }).uid;
}

/** A consumer of the Secret `a`, with a value of its own for a variable: that is no one's business, either. */
async function createDeployment(namespace: string): Promise<void> {
  const env = [
    { name: 'LITERAL', value: TEXT.text },
    { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'a', key: 'text' } } },
  ];
  const pod = { containers: [{ name: 'main', image: 'registry.example.com/main:1', env }] };
  const response = await fetch(`${stack.dev.url}/apis/apps/v1/namespaces/${namespace}/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.dev.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(workloadObject('Deployment', 'web', pod)),
  });
  expect(response.status).toBe(201);
}

async function workThroughEverything(): Promise<void> {
  for (const { route, holdsValues = false, run } of WORK) {
    good.push({ route, holdsValues, answer: await run(admin, await prepare()) });
  }
  for (const path of [
    '/',
    '/login',
    '/api/config',
    '/api/openapi.json',
    '/api/auth/me',
    '/api/auth/login',
    '/api/auth/logout',
  ]) {
    good.push({ route: `GET ${path}`, answer: await developer.get(path), holdsValues: false });
  }
  good.push({
    route: 'POST logout',
    answer: await developer.post('/api/auth/logout', {}),
    holdsValues: false,
  });
}

async function meetEveryFailure(): Promise<void> {
  const remaining = failureCases(FAILURES).values();
  const unchanged: Place[] = [];
  const work = async (): Promise<void> => {
    for (const { action, route, run, match, changes } of remaining) {
      const place = unchanged.pop() ?? (await prepare());
      if (changes) await expectUnchanged(place);
      const isNamespaceList = route === 'GET /api/namespaces';
      const where = isNamespaceList ? NAMESPACE_LIST : { ...match, namespace: place.namespace };
      const rule = stack.dev.faults.add({ match: where, action });
      const cached = action.type === 'hang' ? hurried : developer;
      bad.push({ route, answer: await run(isNamespaceList ? uncached : cached, place) });
      rule.remove();
      if (!changes) unchanged.push(place);
    }
  };
  // Most of a case is waiting, but too many at once would run into the short timeout without any fault.
  await Promise.all(Array.from({ length: 8 }, work));
  for (const place of unchanged) await expectUnchanged(place);
}

async function sendEveryBadRequest(): Promise<void> {
  const { namespace } = await prepare();
  const foreign = await stack.namespace();
  await stack.kube.setPolicy(foreign, { allowedGroups: `not JSON: ${CLUSTER.text}` });
  await stack.kube.createSecret(foreign, nativeSecret('a', { text: TEXT.text }));
  bad.push(...(await sendAll(admin, badRequests(namespace, REFUSED.text))));
  bad.push(...(await sendAll(developer, badRequests(foreign, REFUSED.text))));
  bad.push(...(await sendAll(await stack.client(), badRequests(namespace, REFUSED.text))));
}

const everything = () => [...VALUES, REFUSED, CLUSTER, ...CREDENTIALS];
const headersOf = ({ answer }: Pick<Evidence, 'answer'>, without: readonly string[] = []): string =>
  [...answer.headers]
    .filter(([name]) => !without.includes(name))
    .map((pair) => pair.join(': '))
    .join('\n');

describe('what was planted', () => {
  it('is found where it must be, so that its absence elsewhere means something', () => {
    const details = good.filter(({ holdsValues }) => holdsValues);
    expect(details.length).toBeGreaterThan(2);
    expect(foundIn(details.map(({ answer }) => answer.text).join(), VALUES)).toEqual(['text', 'binary']);
    expect(CREDENTIALS.length).toBeGreaterThan(8);
    for (const { name, forms } of everything())
      expect(foundIn(`… ${forms[1] ?? ''} …`, everything())).toContain(name);
  });

  it('was driven through every route of the secrets API, in success and in failure', async () => {
    const { paths } = (await admin.get('/api/openapi.json')).json as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    const secretRoutes = routes.filter((route) => /\/api\/(namespaces|search|expiring)/.test(route)).sort();
    expect([...new Set(WORK.map(({ route }) => route))].sort()).toEqual(secretRoutes);
    const needCluster = WORK.filter(({ needsNoCluster }) => needsNoCluster !== true);
    for (const route of new Set(needCluster.map((work) => work.route))) {
      const failures = bad.filter((one) => one.route === route && one.answer.status >= 400);
      expect(failures.length, route).toBeGreaterThan(FAILURES.length / 2);
    }
    expect(good.filter(({ answer }) => answer.status >= 400)).toEqual([]);
  });

  it('is in no log line', () => {
    const log = stack.log();
    expect(log).toContain('"level":"debug"');
    expect(log).toContain('"component":"audit"');
    expect(foundIn(log, everything())).toEqual([]);
  });

  it('is in no metric', async () => {
    const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
    expect(metrics).toContain('service_http_requests_total');
    expect(foundIn(metrics, everything())).toEqual([]);
  });

  it('is in no readiness answer', async () => {
    stack.dev.faults.add({
      match: { path: '^/version' },
      action: { type: 'status', status: 500, message: CLUSTER.text },
    });
    expect(foundIn(await (await fetch(`${stack.opsUrl}/readyz`)).text(), everything())).toEqual([]);
    stack.dev.faults.clear();
  });

  it('is in no error answer and in no redirect', () => {
    const leaks = bad
      .filter(({ answer }) => answer.status >= 300)
      .filter(({ answer }) => foundIn(answer.text, everything()).length > 0);
    expect(bad.filter(({ answer }) => answer.status >= 400).length).toBeGreaterThan(150);
    expect(leaks).toEqual([]);
  });

  it('is in no page', () => {
    const pages = [...good, ...bad].filter(({ answer }) =>
      answer.headers.get('content-type')?.includes('html'),
    );
    expect(pages.length).toBeGreaterThan(0);
    for (const { answer } of pages) expect(foundIn(answer.text, everything())).toEqual([]);
  });

  it('is in no success that must not hold it', () => {
    const others = good.filter(({ holdsValues }) => !holdsValues);
    for (const { route, answer } of others) expect(foundIn(answer.text, everything()), route).toEqual([]);
    for (const { route, answer } of good) {
      expect(foundIn(answer.text, [REFUSED, CLUSTER, ...CREDENTIALS]), route).toEqual([]);
    }
  });

  it('is in no header', () => {
    for (const one of [...good, ...bad]) expect(foundIn(headersOf(one), everything()), one.route).toEqual([]);
  });
});
