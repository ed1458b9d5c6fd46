import { beforeAll, describe, it } from 'vitest';
import { ADMIN, clientFor } from '../../harness/api-client.ts';
import { ON_DEV_CLUSTER } from '../../harness/dev-only.ts';
import type { SecretJson } from '../../harness/answers.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { startStack } from '../../harness/stack.ts';
import { type Line, openAuditFixture } from './audit-fixture.ts';

const { here, expectLine, create, uidOf, expectLinesAsDocumented } = openAuditFixture(startStack);

describe('one line for a denial', () => {
  let secret: SecretJson;
  beforeAll(async () => {
    secret = await here.secrets.createWithHistory('denied', 1);
    secret = await here.secrets.update('denied', { allowedGroups: ['no-one'] });
  });

  it.each<[action: string, method: string, rest: string, json?: object]>([
    ['secret.read', 'GET', ''],
    ['secret.describe', 'GET', '?values=false'],
    ['secret.update', 'PUT', '', {}],
    ['secret.update', 'PATCH', '', {}],
    ['secret.delete', 'DELETE', '?resourceVersion=1'],
    ['secret.versions', 'GET', '/versions'],
    ['secret.access', 'GET', '/access'],
    ['secret.version.read', 'GET', '/versions/1'],
    ['secret.restore', 'POST', '/restore', {}],
  ])('of %s', async (action, method, rest, json) => {
    const actor = 'guest@example.com';
    await expectLine(
      (headers) =>
        here.stack.guest.send(method, here.secrets.path(secret.name, rest), {
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
    const service = await here.stack.anotherService({ env: { SERVICE_NAMESPACES: 'elsewhere' } });
    const admin = await clientFor(service.url, ADMIN);
    const line = {
      outcome: 'denied',
      code: 'forbidden',
      reason: 'namespaceOutOfScope',
      actor: 'admin@example.com',
    };
    await expectLine(
      (headers) => admin.get(secretsPath(here.namespace), { headers }),
      { action: 'secret.list', ...line },
      service,
    );
    await expectLine(
      (headers) => admin.post(secretsPath(here.namespace), { name: 'a' }, { headers }),
      { action: 'secret.create', ...line },
      service,
    );
    await expectLine(
      (headers) => admin.get(`/api/access?namespace=${here.namespace}`, { headers }),
      { action: 'secret.access', ...line },
      service,
    );
  });

  it('of a creation, and of recovering the counter', async () => {
    const closed = await here.stack.namespace();
    await here.stack.kube.setPolicy(closed, { allowedGroups: '["no-one"]' });
    const denied = { outcome: 'denied', code: 'forbidden' };
    await expectLine((headers) => here.stack.guest.post(secretsPath(closed), { name: 'a' }, { headers }), {
      action: 'secret.create',
      ...denied,
      namespace: closed,
      reason: 'deniedByNamespacePolicy',
    });
    const { name, resourceVersion } = await create();
    const body = { resourceVersion, recoverCounter: true };
    await expectLine((headers) => here.stack.guest.put(here.secrets.path(name), body, { headers }), {
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
      (headers) => here.stack.admin.send(method, here.secrets.path(name, rest), { headers, ...request }),
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
    await expectLine((headers) => here.stack.admin.get(here.secrets.path('absent'), { headers }), {
      action: 'secret.read',
      outcome: 'failed',
      name: 'absent',
      code: 'notFound',
      reason: 'absent',
    });
  });

  it('a reveal of what is absent or forbidden, with the key if it is one', async () => {
    const { name } = await create({ allowedGroups: ['team-b'] });
    const line = { action: 'secret.reveal', name };
    const uid = await uidOf(name);
    const path = (key: string) => here.secrets.path(name, `/keys/${key}`);
    await expectLine((headers) => here.stack.admin.get(path('absent'), { headers }), {
      ...line,
      ...{ outcome: 'failed', code: 'notFound', reason: 'keyAbsent', key: 'absent', uid, version: 1 },
    });
    await expectLine((headers) => here.stack.guest.get(path('a'), { headers }), {
      ...line,
      ...{ outcome: 'denied', code: 'forbidden', reason: 'deniedByAccessRules', key: 'a' },
      actor: 'guest@example.com',
    });
    await expectLine((headers) => here.stack.admin.get(path('a%20b'), { headers }), {
      ...line,
      ...{ outcome: 'failed', code: 'invalidRequest' },
    });
  });

  it('a name that is none, without the name', async () => {
    await expectLine((headers) => here.stack.admin.get(here.secrets.path('No_Name'), { headers }), {
      action: 'secret.read',
      outcome: 'failed',
      code: 'invalidRequest',
    });
  });

  it.runIf(ON_DEV_CLUSTER)('a write whose outcome is uncertain', async () => {
    const { name, resourceVersion } = await create();
    here.stack.dev.faults.add({
      match: { verb: 'update', name },
      times: 1,
      action: { type: 'cut', when: 'after' },
    });
    const uid = await uidOf(name);
    await expectLine(
      (headers) => here.stack.admin.put(here.secrets.path(name), { resourceVersion }, { headers }),
      {
        action: 'secret.update',
        outcome: 'uncertain',
        name,
        uid,
        version: 1,
        code: 'uncertain',
        reason: 'connectionFailed',
      },
    );
  });
});

it(
  'all lines of this run hold no value, and no field that docs/audit.md does not name',
  expectLinesAsDocumented,
);
