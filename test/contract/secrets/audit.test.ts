import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AUDIT_ACTIONS } from '../../../src/api/http/audit.ts';
import { ADMIN, clientFor, person, type ApiAnswer, type ApiClient } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import type { SecretJson } from '../../harness/answers.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { secretsOf, type SecretsClient } from '../../harness/secrets-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';

const PLANTED = 'planted-audit-value';
/** The line's own fields, before those that the outcome adds. */
const ALWAYS = [
  'level',
  'time',
  'component',
  'action',
  'actor',
  'subject',
  'session',
  'clientAddress',
  'clientRequestId',
  'requestId',
  'process',
  'sequence',
  'namespace',
  'outcome',
  'event',
];

type Line = Readonly<Record<string, unknown>>;

let stack: Stack;
let namespace: string;
let secrets: SecretsClient;
let mixed: ApiClient;
let next = 0;

beforeAll(async () => {
  stack = await startStack();
  namespace = await stack.namespace();
  secrets = secretsOf(stack.admin, namespace);
  mixed = await stack.client(person('Mixed@Example.COM', ['team-a', 'platform-admins']));
});
afterAll(() => stack.close());

const create = (more: object = {}) => secrets.create(`s${++next}`, { data: { a: PLANTED }, ...more });
const uidOf = async (name: string) => (await stack.kube.getSecret(namespace, name))?.metadata.uid;

/** The audit lines of one request, once its `request` line is there: that one is written last. */
async function linesOf(
  send: (headers: { 'x-request-id': string }) => Promise<ApiAnswer>,
  service = stack.service,
): Promise<readonly Line[]> {
  const clientRequestId = randomUUID();
  const { headers } = await send({ 'x-request-id': clientRequestId });
  const requestId = headers.get('x-request-id');
  expect(requestId).not.toBe(clientRequestId);
  return vi.waitFor(() => {
    const lines = service.logLines().filter((line) => line['requestId'] === requestId);
    expect(lines.map((line) => line['event'])).toContain('request');
    for (const line of lines.filter(isOfRequest)) expect(line).toMatchObject({ clientRequestId });
    return lines.filter((line) => line['component'] === 'audit');
  });
}

const isOfRequest = (line: Line): boolean => line['event'] === 'request' || line['event'] === 'audit';

/** Expects exactly one line, with exactly these fields beyond the ones that every line has. */
async function expectLine(
  send: (headers: { 'x-request-id': string }) => Promise<ApiAnswer>,
  expected: Line & { readonly action: string; readonly outcome: string },
  service = stack.service,
): Promise<void> {
  const lines = await linesOf(send, service);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'info', event: 'audit', namespace, ...expected });
  expect(lines[0]).toMatchObject({
    clientAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string,
    subject: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    session: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(AUDIT_ACTIONS).toContain(expected.action);
  const fields = new Set([...ALWAYS, ...Object.keys(expected)]);
  expect([...Object.keys(lines[0] ?? {})].sort()).toEqual([...fields].sort());
  expect(JSON.stringify(lines)).not.toContain(PLANTED);
}

describe('one line for', () => {
  it('a creation, with the actor in lowercase', async () => {
    const name = `s${++next}`;
    await expectLine(
      (headers) => mixed.post(secretsPath(namespace), { name, data: { a: PLANTED } }, { headers }),
      { action: 'secret.create', outcome: 'succeeded', actor: 'mixed@example.com', name, version: 1 },
    );
  });

  it('a read of values', async () => {
    const { name } = await create();
    const uid = await uidOf(name);
    await expectLine((headers) => stack.admin.get(secrets.path(name), { headers }), {
      action: 'secret.read',
      outcome: 'succeeded',
      name,
      uid,
      version: 1,
    });
  });

  it('an update, with the version after it', async () => {
    const { name, resourceVersion } = await create();
    const uid = await uidOf(name);
    const body = { resourceVersion, data: { a: `${PLANTED} 2` }, description: PLANTED };
    await expectLine((headers) => stack.admin.put(secrets.path(name), body, { headers }), {
      action: 'secret.update',
      outcome: 'succeeded',
      name,
      uid,
      version: 2,
    });
  });

  it.each([
    ['cleaned', ''],
    ['retained', '&keepHistory=true'],
  ])('a deletion, history %s', async (history, more) => {
    const { name, resourceVersion } = await create();
    const uid = await uidOf(name);
    await expectLine(
      (headers) => stack.admin.delete(secrets.deletePath(name, resourceVersion, more), { headers }),
      {
        action: 'secret.delete',
        outcome: 'succeeded',
        name,
        uid,
        version: 1,
        history,
      },
    );
  });

  it('a deletion that is pending', async () => {
    const name = `s${++next}`;
    await stack.kube.createSecret(
      namespace,
      nativeSecret(name, {}, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    const { resourceVersion } = await secrets.read(name);
    const uid = await uidOf(name);
    await expectLine(
      (headers) => stack.admin.delete(secrets.deletePath(name, resourceVersion), { headers }),
      {
        action: 'secret.delete',
        outcome: 'pending',
        name,
        uid,
        version: 1,
        history: 'cleaned',
      },
    );
    await stack.kube.patchSecret(namespace, name, { metadata: { finalizers: null } });
  });

  it('a read of an archived version, and a restore', async () => {
    const { name, resourceVersion } = await secrets.createWithHistory(`s${++next}`, 2);
    const uid = await uidOf(name);
    const line = { outcome: 'succeeded', name, uid, version: 2 };
    await expectLine((headers) => stack.admin.get(secrets.path(name, '/versions/2'), { headers }), {
      action: 'secret.version.read',
      ...line,
    });
    await expectLine(
      (headers) =>
        stack.admin.post(secrets.path(name, '/restore'), { resourceVersion, version: 2 }, { headers }),
      { action: 'secret.restore', ...line },
    );
  });
});

describe('one line for a denial', () => {
  let secret: SecretJson;
  beforeAll(async () => {
    secret = await secrets.createWithHistory('denied', 1);
    secret = await secrets.update('denied', { allowedGroups: ['no-one'] });
  });

  it.each<[action: string, method: string, rest: string, json?: object]>([
    ['secret.read', 'GET', ''],
    ['secret.update', 'PUT', '', {}],
    ['secret.delete', 'DELETE', '?resourceVersion=1'],
    ['secret.versions', 'GET', '/versions'],
    ['secret.version.read', 'GET', '/versions/1'],
    ['secret.restore', 'POST', '/restore', {}],
  ])('of %s', async (action, method, rest, json) => {
    const actor = 'guest@example.com';
    await expectLine(
      (headers) =>
        stack.guest.send(method, secrets.path(secret.name, rest), {
          headers,
          ...(json === undefined ? {} : { json }),
        }),
      {
        action,
        outcome: 'denied',
        actor,
        name: secret.name,
        code: 'forbidden',
        reason: 'deniedByAccessRules',
      },
    );
  });

  it('of a list and a creation outside the scope, to admins too', async () => {
    const service = await stack.anotherService({ env: { SERVICE_NAMESPACES: 'elsewhere' } });
    const admin = await clientFor(service.url, ADMIN);
    const line = {
      outcome: 'denied',
      code: 'forbidden',
      reason: 'namespaceOutOfScope',
      actor: 'admin@example.com',
    };
    await expectLine(
      (headers) => admin.get(secretsPath(namespace), { headers }),
      { action: 'secret.list', ...line },
      service,
    );
    await expectLine(
      (headers) => admin.post(secretsPath(namespace), { name: 'a' }, { headers }),
      { action: 'secret.create', ...line },
      service,
    );
  });

  it('of a creation, and of recovering the counter', async () => {
    const closed = await stack.namespace();
    await stack.kube.setPolicy(closed, { allowedGroups: '["no-one"]' });
    const denied = { outcome: 'denied', code: 'forbidden' };
    await expectLine((headers) => stack.guest.post(secretsPath(closed), { name: 'a' }, { headers }), {
      action: 'secret.create',
      ...denied,
      namespace: closed,
      reason: 'deniedByNamespacePolicy',
    });
    const { name, resourceVersion } = await create();
    const body = { resourceVersion, recoverCounter: true };
    await expectLine((headers) => stack.guest.put(secrets.path(name), body, { headers }), {
      action: 'secret.update',
      ...denied,
      name,
      uid: await uidOf(name),
      version: 1,
      reason: 'recoverCounterNeedsAdmin',
    });
  });
});

describe('one line for a failure', () => {
  it.each<
    [what: string, method: string, rest: string, json: object | undefined, line: Line & { action: string }]
  >([
    [
      'a stale update',
      'PUT',
      '',
      { resourceVersion: '0' },
      { action: 'secret.update', code: 'staleRevision' },
    ],
    ['an invalid update', 'PUT', '', { data: 7 }, { action: 'secret.update', code: 'invalidRequest' }],
    [
      'a stale deletion',
      'DELETE',
      '?resourceVersion=0',
      undefined,
      { action: 'secret.delete', code: 'staleRevision' },
    ],
    [
      'a version that is not there',
      'GET',
      '/versions/9',
      undefined,
      { action: 'secret.version.read', code: 'notFound', reason: 'versionNotArchived', version: 9 },
    ],
  ])('%s', async (_what, method, rest, json, line) => {
    const { name } = await create();
    const request = json === undefined ? {} : { json };
    await expectLine(
      (headers) => stack.admin.send(method, secrets.path(name, rest), { headers, ...request }),
      {
        version: 1,
        ...line,
        outcome: 'failed',
        name,
        uid: await uidOf(name),
      },
    );
  });

  it('a read of what is absent', async () => {
    await expectLine((headers) => stack.admin.get(secrets.path('absent'), { headers }), {
      action: 'secret.read',
      outcome: 'failed',
      name: 'absent',
      code: 'notFound',
      reason: 'absent',
    });
  });

  it('a name that is none, without the name', async () => {
    await expectLine((headers) => stack.admin.get(secrets.path('No_Name'), { headers }), {
      action: 'secret.read',
      outcome: 'failed',
      code: 'invalidRequest',
    });
  });

  it.runIf(ON_DEV_CLUSTER)('a write whose outcome is uncertain', async () => {
    const { name, resourceVersion } = await create();
    stack.dev.faults.add({
      match: { verb: 'update', name },
      times: 1,
      action: { type: 'cut', when: 'after' },
    });
    const uid = await uidOf(name);
    await expectLine((headers) => stack.admin.put(secrets.path(name), { resourceVersion }, { headers }), {
      action: 'secret.update',
      outcome: 'uncertain',
      name,
      uid,
      version: 1,
      code: 'uncertain',
      reason: 'connectionFailed',
    });
  });
});

describe('no line for', () => {
  it('lists, which show no values', async () => {
    const { name } = await create();
    expect(await linesOf((headers) => stack.admin.get(secrets.path(), { headers }))).toEqual([]);
    expect(await linesOf((headers) => stack.admin.get(secrets.path(name, '/versions'), { headers }))).toEqual(
      [],
    );
    expect(await linesOf((headers) => stack.admin.get('/api/namespaces', { headers }))).toEqual([]);
  });

  it('a request without a session, which has no actor', async () => {
    expect(await linesOf((headers) => stack.anonymous.get(secrets.path('a'), { headers }))).toEqual([]);
  });
});

describe('all lines of this run', () => {
  it('hold no value, and no field that docs/audit.md does not name', () => {
    const document = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
    const documented = new Set([...document.matchAll(/^\| `(\w+)` +\|/gm)].map(([, field]) => field));
    const lines = stack.service.logLines().filter((line) => line['component'] === 'audit');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.map((line) => line['sequence'])).toEqual(lines.map((_, index) => index + 1));
    expect(new Set(lines.map((line) => line['process'])).size).toBe(1);
    for (const line of lines) expect(Object.keys(line).filter((field) => !documented.has(field))).toEqual([]);
    expect(stack.service.output()).not.toContain(PLANTED);
  });
});
