import { describe, expect, it } from 'vitest';
import { person } from '../../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { PLANTED, openAuditFixture } from './audit-fixture.ts';

const { here, expectLine, linesOf, create, uidOf, expectLinesAsDocumented } = openAuditFixture();

describe('one line for', () => {
  it('a creation, with the actor in lowercase', async () => {
    const mixed = await here.stack.client(person('Mixed@Example.COM', ['team-a', 'platform-admins']));
    const name = here.freshName();
    await expectLine(
      (headers) => mixed.post(secretsPath(here.namespace), { name, data: { a: PLANTED } }, { headers }),
      { action: 'secret.create', outcome: 'succeeded', actor: 'mixed@example.com', name, version: 1 },
    );
  });

  it('a read of values', async () => {
    const { name } = await create();
    const uid = await uidOf(name);
    await expectLine((headers) => here.stack.admin.get(here.secrets.path(name), { headers }), {
      action: 'secret.read',
      outcome: 'succeeded',
      name,
      uid,
      version: 1,
    });
  });

  it('a look at a Secret without its values, and at the headers of one', async () => {
    const { name } = await create();
    const line = {
      action: 'secret.describe',
      outcome: 'succeeded',
      name,
      uid: await uidOf(name),
      version: 1,
    };
    await expectLine(
      (headers) => here.stack.admin.get(here.secrets.path(name, '?values=false'), { headers }),
      line,
    );
    await expectLine(
      (headers) => here.stack.admin.send('HEAD', here.secrets.path(name, '/keys/a'), { headers }),
      {
        ...line,
        key: 'a',
      },
    );
  });

  it('each value that is revealed, with the name of its key', async () => {
    const { name } = await here.secrets.createWithHistory(here.freshName(), 1);
    const line = { action: 'secret.reveal', outcome: 'succeeded', name, uid: await uidOf(name), key: 'key' };
    await expectLine((headers) => here.stack.admin.get(here.secrets.path(name, '/keys/key'), { headers }), {
      ...line,
      version: 2,
    });
    await expectLine(
      (headers) => here.stack.admin.get(here.secrets.path(name, '/versions/1/keys/key'), { headers }),
      {
        ...line,
        version: 1,
      },
    );
  });

  it('a change with a note, of which the line has the presence and not the text', async () => {
    const { name, resourceVersion } = await create();
    const line = { action: 'secret.update', outcome: 'succeeded', name, uid: await uidOf(name) };
    const body = { resourceVersion, set: { a: `${PLANTED} 2` }, changeNote: PLANTED };
    await expectLine((headers) => here.stack.admin.patch(here.secrets.path(name), body, { headers }), {
      ...line,
      ...{ version: 2, changeNote: true, accessLevel: 'write' },
    });
    const next = {
      ...body,
      resourceVersion: (await here.secrets.read(name)).resourceVersion,
      changeNote: '',
    };
    await expectLine((headers) => here.stack.admin.patch(here.secrets.path(name), next, { headers }), {
      ...line,
      ...{ version: 3, accessLevel: 'write' },
    });
  });

  it('a creation, an update of rules and a restore with a note, each with its level', async () => {
    const name = here.freshName();
    const made = { name, data: { a: PLANTED }, changeNote: PLANTED };
    const line = { outcome: 'succeeded', name, changeNote: true };
    await expectLine((headers) => here.stack.admin.post(secretsPath(here.namespace), made, { headers }), {
      ...line,
      ...{ action: 'secret.create', version: 1, accessLevel: 'write' },
    });
    const uid = await uidOf(name);
    const { resourceVersion } = await here.secrets.read(name);
    const rules = { resourceVersion, readerGroups: ['auditors'], changeNote: PLANTED };
    await expectLine((headers) => here.stack.admin.put(here.secrets.path(name), rules, { headers }), {
      ...line,
      ...{ action: 'secret.update', uid, version: 2, accessLevel: 'manage' },
    });
    const restored = {
      resourceVersion: (await here.secrets.read(name)).resourceVersion,
      version: 1,
      changeNote: PLANTED,
    };
    await expectLine(
      (headers) => here.stack.admin.post(here.secrets.path(name, '/restore'), restored, { headers }),
      {
        ...line,
        ...{ action: 'secret.restore', uid, version: 1, accessLevel: 'write' },
      },
    );
  });

  it('an update, with the version after it', async () => {
    const { name, resourceVersion } = await create();
    const uid = await uidOf(name);
    const body = { resourceVersion, data: { a: `${PLANTED} 2` }, description: PLANTED };
    await expectLine((headers) => here.stack.admin.put(here.secrets.path(name), body, { headers }), {
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
    ['retained', '&keepHistory=true&archive=true'],
  ])('a deletion, history %s%s', async (history, more) => {
    const { name, resourceVersion } = await create();
    const uid = await uidOf(name);
    await expectLine(
      (headers) => here.stack.admin.delete(here.secrets.deletePath(name, resourceVersion, more), { headers }),
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
    const name = here.freshName();
    await here.stack.kube.createSecret(
      here.namespace,
      nativeSecret(name, {}, { metadata: { finalizers: ['example.com/hold'] } }),
    );
    const { resourceVersion } = await here.secrets.read(name);
    const uid = await uidOf(name);
    await expectLine(
      (headers) => here.stack.admin.delete(here.secrets.deletePath(name, resourceVersion), { headers }),
      {
        action: 'secret.delete',
        outcome: 'pending',
        name,
        uid,
        version: 1,
        history: 'cleaned',
      },
    );
    await here.stack.kube.patchSecret(here.namespace, name, { metadata: { finalizers: null } });
  });

  it('a read of an archived version, and a restore', async () => {
    const { name, resourceVersion } = await here.secrets.createWithHistory(here.freshName(), 2);
    const uid = await uidOf(name);
    const line = { outcome: 'succeeded', name, uid, version: 2 };
    await expectLine((headers) => here.stack.admin.get(here.secrets.path(name, '/versions/2'), { headers }), {
      action: 'secret.version.read',
      ...line,
    });
    await expectLine(
      (headers) =>
        here.stack.admin.post(
          here.secrets.path(name, '/restore'),
          { resourceVersion, version: 2 },
          { headers },
        ),
      { action: 'secret.restore', ...line },
    );
  });
});

describe('of a deleted Secret', () => {
  const deleted = (uid: string, rest = '') => `/api/namespaces/${here.namespace}/deleted/${uid}${rest}`;
  const deleteArchived = async () => {
    const { name, resourceVersion } = await create({ allowedGroups: ['team-a'] });
    const uid = (await uidOf(name)) ?? '';
    const path = here.secrets.deletePath(name, resourceVersion, '&keepHistory=true&archive=true');
    expect((await here.stack.admin.delete(path)).status).toBe(200);
    return { name, uid, version: 1 };
  };

  it('a restore, one under another name, and a permanent removal', async () => {
    const { uid, ...line } = await deleteArchived();
    const restore = { action: 'secret.deleted.restore', outcome: 'succeeded', uid, ...line };
    await expectLine((headers) => here.stack.admin.post(deleted(uid, '/restore'), {}, { headers }), restore);
    const newName = here.freshName();
    await expectLine(
      (headers) => here.stack.admin.post(deleted(uid, '/restore'), { name: newName }, { headers }),
      { ...restore, newName },
    );
    await expectLine((headers) => here.stack.admin.delete(deleted(uid), { headers }), {
      action: 'secret.deleted.remove',
      outcome: 'succeeded',
      history: 'cleaned',
      uid,
      ...line,
    });
  });

  it('a denial, with the UID that was requested', async () => {
    const { uid } = await deleteArchived();
    await expectLine((headers) => here.stack.developerB.delete(deleted(uid), { headers }), {
      action: 'secret.deleted.remove',
      outcome: 'denied',
      code: 'forbidden',
      reason: 'deniedByAccessRules',
      uid,
    });
  });

  it('none for the list', async () => {
    const path = `/api/namespaces/${here.namespace}/deleted`;
    expect(await linesOf((headers) => here.stack.admin.get(path, { headers }))).toEqual([]);
  });
});

describe('no line for', () => {
  it('lists, which show no values', async () => {
    const { name } = await create();
    expect(await linesOf((headers) => here.stack.admin.get(here.secrets.path(), { headers }))).toEqual([]);
    expect(
      await linesOf((headers) => here.stack.admin.get(here.secrets.path(name, '/versions'), { headers })),
    ).toEqual([]);
    expect(await linesOf((headers) => here.stack.admin.get('/api/namespaces', { headers }))).toEqual([]);
  });

  it('a request without a session, which has no actor', async () => {
    expect(await linesOf((headers) => here.stack.anonymous.get(here.secrets.path('a'), { headers }))).toEqual(
      [],
    );
  });
});

it(
  'all lines of this run hold no value, and no field that docs/audit.md does not name',
  expectLinesAsDocumented,
);
