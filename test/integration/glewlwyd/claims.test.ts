import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComposedService } from '../../contract/sign-in/composed-service.ts';
import type { UserOptions } from '../../harness/glewlwyd/objects.ts';
import { makeSigningKey } from '../../harness/glewlwyd/signing-keys.ts';
import { signIn, startFixture, type Fixture } from './fixture.ts';

let fixture: Fixture;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startFixture();
  const keys = [makeSigningKey('ES256')];
  await fixture.glewlwyd.provide({ name: 'oidc', keys });
  await fixture.glewlwyd.provide({ name: 'one-group', keys, groupsProperty: 'group' });
  service = await fixture.startService({ provider: 'oidc' });
});
afterAll(() => fixture.close());

/** Signs in someone whom Glewlwyd describes like this. */
async function signInAs(properties: Omit<UserOptions, 'username' | 'password'>, at = service) {
  const account = { username: `user-${++users}`, password: 'the password of this user' };
  await fixture.glewlwyd.addUser({ ...account, ...properties });
  return signIn(at.url, account);
}
let users = 0;

/** Names of 15 characters. */
function groupNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `group-name-${String(index).padStart(4, '0')}`);
}

/** Names that no compression makes shorter than their digits. */
function randomNames(count: number): readonly string[] {
  return Array.from({ length: count }, () => randomBytes(8).toString('hex'));
}

describe('the claims that Glewlwyd sends', () => {
  test('names and groups outside ASCII arrive as they are', async () => {
    const described = {
      name: 'Änne Ørsted 漢字 🗝',
      email: 'aenne@example.com',
      groups: ['équipe-é', '開発'],
    };
    expect(await signInAs(described)).toMatchObject({ landedAt: '/', user: described });
  });

  test('someone without groups is signed in without groups', async () => {
    const described = { name: 'No-one’s', email: 'no-ones@example.com' };
    expect(await signInAs(described)).toMatchObject({ landedAt: '/', user: { ...described, groups: [] } });
  });

  test('a groups claim that is one text is a list of one', async () => {
    const single = await fixture.startService({ provider: 'one-group' });
    const signedIn = await signInAs({ email: 'single@example.com', group: 'team-a' }, single);
    expect(signedIn).toMatchObject({ landedAt: '/', user: { groups: ['team-a'] } });
  });

  test('someone without an email is refused, and the log says so', async () => {
    expect(await signInAs({ name: 'Without' })).toMatchObject({ landedAt: '/login?auth=error', user: null });
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ code: 'email_missing', claim: 'email', userInfo: 'used' }),
    );
  });

  test.each([450, 500])('%i groups fit a session', async (count) => {
    const groups = groupNames(count);
    const signedIn = await signInAs({ email: `in-${count}@example.com`, groups });
    expect(signedIn).toMatchObject({ landedAt: '/', user: { groups } });
  });

  test('groups that no session can hold are refused by name, and fit with SERVICE_GROUPS_FILTER', async () => {
    const groups = [...randomNames(2_000), 'team-a', 'team-b'];
    const properties = { email: 'everywhere@example.com', groups };
    const refused = await signInAs(properties);
    expect(refused).toMatchObject({
      landedAt: '/login?auth=error&idp_error=session_too_large',
      user: null,
    });
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ event: 'login failed', code: 'session_too_large' }),
    );

    const env = { SERVICE_GROUPS_FILTER: 'team-*' };
    const filtered = await fixture.startService({ provider: 'oidc', env });
    const signedIn = await signInAs({ ...properties, email: 'filtered@example.com' }, filtered);
    expect(signedIn).toMatchObject({ landedAt: '/', user: { groups: ['team-a', 'team-b'] } });
  });
});
