import { randomBytes } from 'node:crypto';
import { findAccountByEmail } from '../dev-idp/accounts.ts';
import { signInOverHttp } from '../sign-in-over-http.ts';
import type { ClusterClient } from './cluster-client.ts';
import { inDays } from './demo-data.ts';

// What people have done with the demo data, through the API, so that history, expiry and deletion have something to show.
// Only the times of changes are moved back in the cluster: a history of one minute shows nothing.

/** @returns undefined for what was removed, or is there already */
type Send = (method: string, path: string, json?: object) => Promise<ApiResponse | undefined>;

interface ApiResponse {
  readonly secret: { readonly version: number; readonly resourceVersion: string };
}

async function signedIn(serviceUrl: string, email: string): Promise<Send> {
  const password = findAccountByEmail(email)?.password ?? '';
  const cookie = await signInOverHttp({ serviceUrl, account: email, password });
  return async (method, path, json) => {
    const response = await fetch(`${serviceUrl}/api/namespaces/${path}`, {
      method,
      headers: { cookie, ...(json && { 'content-type': 'application/json' }) },
      ...(json && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.status === 404 || response.status === 409) return undefined;
    if (!response.ok) throw new Error(`The service answered ${response.status} to ${method} of demo data`);
    return (await response.json()) as ApiResponse;
  };
}

const password = (): string => randomBytes(18).toString('base64url');

const DATABASE = 'team-a/secrets/database';
/** How many days ago who changed what, oldest first: ten versions with the one that is there. */
const CHANGES: readonly (readonly [daysAgo: number, by: 'admin' | 'alex' | 'blake', change: () => object])[] =
  [
    [57.9, 'admin', () => ({ description: 'Credentials of the orders database; team-b may write' })],
    [
      54.2,
      'alex',
      () => ({
        set: { host: 'orders-1.example.com', port: '5432' },
        changeNote: 'Address beside the password',
      }),
    ],
    [47.1, 'blake', () => ({ set: { password: password() }, changeNote: 'Quarterly rotation' })],
    [33.4, 'alex', () => ({ set: { 'replica-url': 'postgres://orders-2.example.com/orders' } })],
    [26.3, 'alex', () => ({ set: { host: 'orders-2.example.com' }, changeNote: 'Moved to the new host' })],
    [26.1, 'blake', () => ({ set: { password: password() } })],
    [12.2, 'alex', () => ({ remove: ['replica-url'], changeNote: 'The replica is gone' })],
    [5.4, 'admin', () => ({ set: { password: password() }, changeNote: 'Rotated after an incident' })],
    [1.3, 'blake', () => ({ rotateEvery: '90d' })],
  ];

/** The body of a request that creates one. */
interface CreateBody {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** What was created how many days ago. */
const CREATED: readonly (readonly [daysAgo: number, namespace: string, secret: CreateBody])[] = [
  [
    95.2,
    'shared',
    {
      name: 'payments-token',
      description: 'Has expired: the provider has to issue another',
      expiresAt: inDays(-5),
    },
  ],
  [27.4, 'shared', { name: 'mail-token', expiresAt: inDays(3) }],
  [10.1, 'team-a', { name: 'metrics-token', expiresAt: inDays(20) }],
  [
    6.3,
    'team-b',
    {
      name: 'database',
      description: 'Credentials of the reports database: compare it with that of team-a',
      type: 'kubernetes.io/basic-auth',
      data: { username: 'reports', password: password(), port: '5432', schema: 'reports' },
    },
  ],
  [
    3.2,
    'team-a',
    { name: 'partner-token', expiresAt: inDays(200), readerGroups: ['team-b'], allowedGroups: ['team-a'] },
  ],
];
const DELETED = ['old-token', 'former-deploy-key'];

/** Once: what was changed since stays as it is. */
export async function ensureDemoChanges(serviceUrl: string, cluster: ClusterClient): Promise<void> {
  const [admin, alex, blake] = await Promise.all(
    ['admin', 'developer-a', 'developer-b'].map((name) => signedIn(serviceUrl, `${name}@example.com`)),
  );
  if (admin === undefined || alex === undefined || blake === undefined) return;
  const read = async () => (await admin('GET', `${DATABASE}?values=false`))?.secret;
  const before = await read();
  if (before?.version !== 1) return;
  const people = { admin, alex, blake };
  const rules = { allowedGroups: ['team-a'], writerGroups: ['team-b'] };
  const moveBack = (daysAgo: number, path = DATABASE) =>
    cluster.merge(`/api/v1/namespaces/${path}`, {
      metadata: { annotations: { 'service.io/last-modified-at': inDays(-daysAgo) } },
    });
  await admin('PUT', DATABASE, { resourceVersion: before.resourceVersion, ...rules });
  await moveBack(61.2);
  for (const [daysAgo, by, change] of CHANGES) {
    const resourceVersion = (await read())?.resourceVersion;
    await people[by]('PATCH', DATABASE, { resourceVersion, ...change() });
    await moveBack(daysAgo);
  }
  for (const [daysAgo, namespace, secret] of CREATED) {
    await admin('POST', `${namespace}/secrets`, { data: { token: password() }, ...secret });
    await moveBack(daysAgo, `${namespace}/secrets/${secret.name}`);
  }
  for (const name of DELETED) {
    const created = await alex('POST', 'team-a/secrets', { name, data: { token: password() } });
    if (created === undefined) continue;
    const { resourceVersion } = created.secret;
    const query = new URLSearchParams({
      resourceVersion,
      keepHistory: 'true',
      archive: 'true',
    });
    await alex('DELETE', `team-a/secrets/${name}?${query.toString()}`);
  }
}
