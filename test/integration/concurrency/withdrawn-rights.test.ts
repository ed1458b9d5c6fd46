import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiRoutes } from '../../../hack/openapi/document.ts';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { ADMIN, clientWith, person, sessionCookie } from '../../harness/api-client.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { createWorkloadsClient, type WorkloadsClient } from '../../harness/workloads.ts';
import { becomes } from '../replicas.ts';
import { holdRequest, type HeldRequest } from './held-request.ts';
import { NAME, PLANTED, ROUTES, type Prepared } from './withdrawn-rights-routes.ts';

/**
 * Each route that takes a body is held between its head and its write while rights are withdrawn. Nothing is written,
 * and no value is answered. The line: rights that are withdrawn after the cluster has the read of the policy or of the Secret,
 * and a session that ends after the request had its seat, may still be in time.
 */

const OWN = 'secrets-management';
const DENYING_POLICY = { allowedUsers: '["someone-else@example.com"]' };
const CLOSED_SECRET = { 'service.io/allowed-users': 'someone-else@example.com' };
const NAMED = ['updateSecret', 'patchSecret', 'restoreVersion', 'restartConsumers'];
const folder = mkdtempSync(join(tmpdir(), 'withdrawn-rights-'));

let stack: InProcessStack;
let namespace: string;
/** All of a test. */
let namespaces: readonly string[];
let workloads: WorkloadsClient;
let sender: string;
let people = 0;

beforeAll(async () => {
  stack = await startInProcessStack({
    env: { POD_NAMESPACE: OWN, SERVICE_RESTART_ENABLED: 'true' },
    reconciles: false,
  });
  writeFileSync(join(folder, 'kubeconfig'), stack.dev.kubeconfig(), { mode: 0o600 });
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  namespaces = [];
  await useNamespace();
  sender = `sender-${++people}@example.com`;
});

async function useNamespace(): Promise<void> {
  namespace = await stack.namespace();
  namespaces = [...namespaces, namespace];
}

async function prepare(operation: string): Promise<Prepared> {
  workloads = createWorkloadsClient(loadCredentials({ kubeconfig: join(folder, 'kubeconfig') }), namespace);
  const admin = await stack.client(ADMIN);
  const secrets = secretsOf(admin, namespace);
  const prepared = await ROUTES[operation]?.({ admin, kube: stack.kube, namespace, workloads, secrets });
  await workloads.close();
  if (prepared === undefined) throw new Error(`${operation} has no entry`);
  stack.between.forget();
  return prepared;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${stack.opsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ')[1]);
}

/** Takes all seats, by requests of two people for a Secret that the cluster does not answer. */
async function takeSeats() {
  await stack.kube.createSecret(namespace, nativeSecret('busy'));
  const path = secretsPath(namespace, 'busy');
  const hold = stack.between.hold(({ method, path: of }) => method === 'GET' && of.endsWith('/secrets/busy'));
  const clients = await Promise.all(['one', 'two'].map((who) => stack.client(person(`${who}@x.io`, []))));
  const all = Promise.all(clients.flatMap((client) => Array.from({ length: 8 }, () => client.get(path))));
  await becomes(() => hold.count(), 16);
  return async () => {
    hold.release();
    await all;
  };
}

/** Each request four times: before the first byte, in the middle, before the last byte, and complete without a seat. */
async function holdEverywhere(
  prepared: readonly Prepared[],
  cookie: string,
): Promise<readonly HeldRequest[]> {
  const parts = [
    () => 0,
    (all: number) => Math.floor(all / 2),
    (all: number) => all - 1,
    (all: number) => all,
  ];
  const held = prepared.flatMap((one) =>
    parts.map((part) => holdRequest(stack.url, { ...one, cookie, part })),
  );
  const bytes = held.reduce((sum, { sent }) => sum + sent, 0);
  await becomes(() => metric('service_request_body_bytes'), bytes);
  await becomes(() => metric('service_cluster_work{state="queued"}'), prepared.length);
  await becomes(() => metric('service_http_requests_in_flight'), 16 + held.length);
  return held;
}

const writes = () =>
  stack.between.passed.filter(
    ({ method, path }) => method !== 'GET' && namespaces.some((one) => path.includes(`/${one}/`)),
  );

function expectNothing(answers: readonly { status: number; text: string }[], status: number): void {
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
  for (const { text } of answers) {
    expect(text).not.toContain(PLANTED);
    expect(text).not.toContain(Buffer.from(PLANTED).toString('base64').slice(0, 12));
  }
  expect(writes(), 'nothing is written').toEqual([]);
}

const closePolicy = () => stack.kube.setPolicy(namespace, DENYING_POLICY);
const closeSecret = () =>
  stack.kube.patchSecret(namespace, NAME, { metadata: { annotations: CLOSED_SECRET } });
const endOf = (cookie: string) => async () => {
  const client = clientWith(stack.url, { cookie });
  await becomes(async () => (await client.get('/api/auth/me')).status, 401);
};
const revoke = (cookie: string) => async () => {
  const key = createHash('sha256').update(sender).digest('hex');
  const time = new Date(Date.now() + 1_000).toISOString();
  await stack.kube.setPolicy(OWN, { [key]: time }, 'service-revocations');
  await endOf(cookie)();
};

interface Withdrawal {
  readonly what: string;
  readonly status: number;
  readonly withdraw: (cookie: string) => () => Promise<unknown>;
}

const WITHDRAWALS: readonly Withdrawal[] = [
  { what: 'the policy is closed', status: 403, withdraw: () => closePolicy },
  { what: 'the session is revoked', status: 401, withdraw: revoke },
];
const OF_A_SECRET: Withdrawal = {
  what: "the Secret's rules are changed",
  status: 403,
  withdraw: () => closeSecret,
};

const POLICY_READ = {
  what: 'the policy is closed',
  read: '/configmaps/service-policy',
  withdraw: (): Promise<unknown> => closePolicy(),
};
const SECRET_READS = [
  { ...POLICY_READ, read: `/secrets/${NAME}` },
  {
    what: "the Secret's rules are changed",
    read: `/secrets/${NAME}`,
    withdraw: (): Promise<unknown> => closeSecret(),
  },
];

it('covers every route that takes a body', () => {
  const taking = apiRoutes().filter((route) => 'body' in route);
  expect(taking.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ROUTES).sort());
});

const cookieOf = (options = {}) => sessionCookie(person(sender, []), undefined, options);

// One wait for all routes.
it('every route writes and answers nothing when the session expires while the body or the seat is waited for', async () => {
  const prepared: Prepared[] = [];
  for (const operation of Object.keys(ROUTES)) {
    await useNamespace();
    prepared.push(await prepare(operation));
  }
  const freeSeats = await takeSeats();
  const cookie = await cookieOf({ lifetimeMs: 8_000 });
  const held = await holdEverywhere(prepared, cookie);
  await endOf(cookie)();
  await freeSeats();
  expectNothing(await Promise.all(held.map((one) => one.finish())), 401);
});

describe.each(Object.keys(ROUTES))('%s', (operation) => {
  it('writes what was held, when nothing is withdrawn', async () => {
    const prepared = await prepare(operation);
    const part = (bytes: number) => bytes - 1;
    const held = holdRequest(stack.url, { ...prepared, cookie: await cookieOf(), part });
    expect((await held.finish()).status).toBeLessThan(300);
    expect(writes()).not.toEqual([]);
  });

  it.each(NAMED.includes(operation) ? [...WITHDRAWALS, OF_A_SECRET] : WITHDRAWALS)(
    'writes and answers nothing when $what while the body or the seat is waited for',
    async ({ status, withdraw }) => {
      const prepared = await prepare(operation);
      const freeSeats = await takeSeats();
      const cookie = await cookieOf();
      const held = await holdEverywhere([prepared], cookie);
      await withdraw(cookie)();
      await freeSeats();
      expectNothing(await Promise.all(held.map((one) => one.finish())), status);
    },
  );

  it.each(NAMED.includes(operation) ? [POLICY_READ, ...SECRET_READS] : [POLICY_READ])(
    'writes and answers nothing when $what before the read of $read reaches the cluster',
    async ({ read, withdraw }) => {
      const prepared = await prepare(operation);
      const hold = stack.between.hold(
        ({ method, path }) => method === 'GET' && path.endsWith(`/${namespace}${read}`),
      );
      const held = holdRequest(stack.url, { ...prepared, cookie: await cookieOf(), part: (bytes) => bytes });
      await becomes(() => hold.count(), 1);
      await withdraw();
      hold.release();
      expectNothing([await held.finish()], 403);
    },
  );
});
