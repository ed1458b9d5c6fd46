import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driveLogin, type LoginEnd } from '../../hostile-idp/drive-login.ts';
import { hostileCase, type HostileCase } from '../../hostile-idp/hostile-case.ts';
import { startHostileIdp, type HostileIdp } from '../../hostile-idp/start-hostile-idp.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

const good = hostileCase('nothing is wrong');
const withGroups = (name: string, groups: unknown): HostileCase => ({
  ...good,
  name,
  discovery: { unset: ['userinfo_endpoint'] },
  idToken: { claims: { set: { groups } } },
});
const mixed = withGroups('groups of all kinds', ['team-a', 'everyone', 'platform-admins', 'team-b', 'vpn']);
const many = withGroups('four hundred and fifty groups', { $list: ['group-member-', 450] });
const tooMany = withGroups('too many groups for the plain form', { $list: ['group-of-people-', 900] });

let idp: HostileIdp;
let fixture: Fixture;
beforeAll(async () => {
  [idp, fixture] = await Promise.all([startHostileIdp([mixed, many, tooMany]), startServiceFixture()]);
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

async function signIn(
  hostile: HostileCase,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly service: ComposedService; readonly end: LoginEnd }> {
  const service = await fixture.start({
    OIDC_ISSUER: idp.issuerOf(hostile),
    OIDC_CLIENT_ID: 'hostile-client',
    OIDC_ALLOW_HTTP: 'true',
    ...environment,
  });
  return { service, end: await driveLogin(service.url, hostile) };
}

async function groupsOf(service: ComposedService, end: LoginEnd): Promise<readonly string[]> {
  const cookie = [...end.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
  return ((await response.json()) as { user: { groups: string[] } }).user.groups;
}

const linesOf = (service: ComposedService, event: string) =>
  service.logLines().filter((line) => line['event'] === event);

const EXCEEDED = 'sign-in answers exceed what proxies take by default';

describe('SERVICE_GROUPS_FILTER', () => {
  test('keeps the groups that match, and those of administrators, and logs how many it left out', async () => {
    const { service, end } = await signIn(mixed, { SERVICE_GROUPS_FILTER: 'team-*' });
    expect(await groupsOf(service, end)).toEqual(['team-a', 'platform-admins', 'team-b']);
    expect(linesOf(service, 'signed in')).toEqual([
      expect.objectContaining({ actor: 'user@example.com', count: 3, groupsLeftOut: 2 }),
    ]);
    expect(service.log()).not.toMatch(/everyone|vpn/);
  });

  test('that matches nothing leaves a session without groups, which is still one', async () => {
    const { service, end } = await signIn(mixed, { SERVICE_GROUPS_FILTER: 'x', SERVICE_ADMIN_GROUPS: '' });
    expect(await groupsOf(service, end)).toEqual([]);
  });

  test('left unset keeps all groups, in their order', async () => {
    const { service, end } = await signIn(mixed);
    expect(await groupsOf(service, end)).toEqual(['team-a', 'everyone', 'platform-admins', 'team-b', 'vpn']);
    expect(linesOf(service, 'signed in')).toEqual([expect.objectContaining({ groupsLeftOut: 0 })]);
  });
});

describe('a session of 450 groups', () => {
  test('takes several cookies, whose number and bytes are logged, with a warning once', async () => {
    const { service, end } = await signIn(many);
    await driveLogin(service.url, many);
    expect(await groupsOf(service, end)).toHaveLength(450);
    const [line, ...others] = linesOf(service, 'signed in');
    expect(others).toHaveLength(1);
    expect(line).toMatchObject({ cookieCount: 3, count: 450 });
    expect(line?.['headerBytes']).toBeGreaterThan(11_000);
    expect(linesOf(service, EXCEEDED)).toEqual([
      expect.objectContaining({
        level: 'warn',
        cookieCount: 3,
        hint: expect.stringContaining('proxy_buffer_size') as string,
      }),
    ]);
  });

  test('with SERVICE_COMPACT_SESSIONS fits one cookie and the buffers of a proxy, without a warning', async () => {
    const { service, end } = await signIn(many, { SERVICE_COMPACT_SESSIONS: 'true' });
    expect([...end.cookies.keys()]).toEqual(['service_session']);
    expect(await groupsOf(service, end)).toHaveLength(450);
    const [line] = linesOf(service, 'signed in');
    expect(line).toMatchObject({ cookieCount: 1, count: 450 });
    expect(line?.['headerBytes']).toBeLessThan(4_096);
    expect(linesOf(service, EXCEEDED)).toEqual([]);
  });
});

describe('a session that does not fit as it is', () => {
  test('is written in its compact form before the login is refused', async () => {
    const { service, end } = await signIn(tooMany);
    expect(end.location).toBe('/');
    expect(await groupsOf(service, end)).toHaveLength(900);
  });

  test('ends like any other', async () => {
    const { service, end } = await signIn(tooMany);
    const cookie = [...end.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const out = await fetch(`${service.url}/api/auth/logout`, { method: 'POST', headers: { cookie } });
    expect(await out.json()).toEqual({ ok: true });
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^service_session=; Max-Age=0; /)]);
    const audited = linesOf(service, 'audit').map(({ action, session }) => [action, session]);
    expect(audited).toEqual([
      ['session.signIn', expect.stringMatching(/^[0-9a-f]{64}$/) as string],
      ['session.signOut', audited[0]?.[1]],
    ]);
  });
});
