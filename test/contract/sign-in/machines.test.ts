import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ADMIN, DEVELOPER_A, person } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { AUDIENCE, signWith } from '../../hostile-idp/start-token-issuer.ts';
import {
  BINDING,
  OWN_NAMESPACE,
  becomes,
  bind,
  issuer,
  job,
  names,
  namespace,
  openMachinesFixture,
  secrets,
  stack,
  withToken,
} from './machines-fixture.ts';

const auditLines = (): readonly Record<string, unknown>[] =>
  stack.logLines().filter(({ event }) => event === 'audit');

openMachinesFixture();

describe('a machine', () => {
  it('reads the Secret that a binding names, and nothing else', async () => {
    await bind(BINDING);
    await becomes(200);
    for (const [path, status] of [
      [`${secrets()}/bound/versions`, 200],
      [`${secrets()}/bound/access`, 200],
      [`${secrets()}/other`, 403],
      [`${secrets()}/ruled`, 403],
      [`${secrets()}/absent`, 404],
      ['/api/namespaces/default/secrets', 403],
      ['/api/config', 200],
    ] as const) {
      expect([path, (await job.get(path)).status]).toEqual([path, status]);
    }
    const { resourceVersion } = (
      (await job.get(`${secrets()}/bound`)).json as { secret: { resourceVersion: string } }
    ).secret;
    const write = { resourceVersion, description: 'x' };
    expect((await job.put(`${secrets()}/bound`, write)).status).toBe(403);
    expect((await job.delete(`${secrets()}/bound?resourceVersion=${resourceVersion}`)).status).toBe(403);
    expect((await job.post(secrets(), { name: 'new' })).status).toBe(403);
  });

  it('is shown to whoever may know the rules of the namespace, with when it was last seen', async () => {
    await bind(BINDING, { ...BINDING, name: 'unused', secrets: ['ruled'] });
    await becomes(200);
    const machines = async (user: Parameters<typeof stack.client>[0], path: string) => {
      const answer = await (await stack.client(user)).get(path);
      return (answer.json as { machines?: readonly object[] }).machines;
    };
    const bound = { name: 'reader', issuer: 'ci', level: 'read' };
    const seen = { ...bound, lastSeenAt: expect.stringMatching(/^20.*Z$/) as string };
    expect(await machines(ADMIN, `${secrets()}/bound/access`)).toEqual([seen]);
    expect(await machines(ADMIN, `${secrets()}/ruled/access`)).toEqual([{ ...bound, name: 'unused' }]);
    expect(await machines(ADMIN, `/api/access?namespace=${namespace}`)).toHaveLength(2);
    expect(await machines(DEVELOPER_A, `${secrets()}/other/access`)).toBeUndefined();
    await stack.kube.setPolicy(namespace, {
      allowedGroups: '["another-team"]',
      machines: JSON.stringify([{ ...BINDING, secrets: ['ruled'] }]),
    });
    // The Secret's own rules let them in, and those of the namespace are hidden from them.
    expect(await machines(DEVELOPER_A, `${secrets()}/ruled/access`)).toBeUndefined();
  });

  it('sees in lists, search and namespaces what is bound', async () => {
    await bind(BINDING);
    await becomes(200);
    expect(names(await job.get(secrets()))).toEqual(['bound']);
    expect(names(await job.get(`${secrets()}?limit=10`))).toEqual(['bound']);
    // The bindings of the test before may not have gone yet.
    await eventually(async () => {
      expect((await job.get('/api/namespaces')).json).toEqual({
        namespaces: [{ name: namespace, canCreate: false }],
      });
    });
    const found = await eventually(async () => {
      const answer = await job.get('/api/search?q=o');
      expect(answer.status).toBe(200);
      return answer.json as { results: { name: string }[]; skipped: string[] };
    });
    expect([found.results.map(({ name }) => name), found.skipped]).toEqual([['bound'], []]);
  });

  it('sees and removes of deleted Secrets what is bound, and is named by the binding', async () => {
    await bind(BINDING, { ...BINDING, name: 'manager', level: 'manage' });
    const admin = await stack.client(ADMIN);
    const live = secretsOf(admin, namespace);
    const path = `/api/namespaces/${namespace}/deleted`;
    const deleted = async (name: string) => {
      const query = '&keepHistory=true&archive=true';
      const { resourceVersion } = await live.read(name);
      const answer = await admin.delete(live.deletePath(name, resourceVersion, query));
      return `${path}/${(answer.json as { uid: string }).uid}`;
    };
    const [bound, other] = [await deleted('bound'), await deleted('other')];
    expect((await becomes(200, path)).json).toMatchObject({ deleted: [{ name: 'bound' }] });
    expect([(await job.delete(other)).status, (await job.delete(bound)).status]).toEqual([403, 200]);
    const actor = `machine:${namespace}/manager`;
    const removal = { namespace, name: 'bound', action: 'secret.deleted.remove', outcome: 'succeeded' };
    expect(auditLines()).toContainEqual(expect.objectContaining({ ...removal, actor }));
  });

  it('sees with "*" all Secrets without lists of their own, and with a name also others', async () => {
    await bind({ ...BINDING, secrets: '*' });
    await becomes(200);
    expect(names(await job.get(secrets()))).toEqual(['bound', 'other']);
    await bind({ ...BINDING, secrets: ['ruled'] });
    await becomes(200, `${secrets()}/ruled`);
    expect(names(await job.get(secrets()))).toEqual(['ruled']);
  });

  it('is never let in by an open namespace, or as one of the people', async () => {
    await stack.kube.removePolicy(namespace);
    await becomes(403);
    for (const lists of [
      { allowedUsers: `["machine:${namespace}/reader"]` },
      { allowedGroups: '[]' },
      { readerUsers: `["machine:${namespace}/reader"]`, allowedUsers: '["a@example.com"]' },
    ]) {
      await stack.kube.setPolicy(namespace, {
        ...lists,
        machines: JSON.stringify([{ ...BINDING, secrets: ['other'] }]),
      });
      await becomes(200, `${secrets()}/other`);
      expect((await job.get(`${secrets()}/bound`)).status).toBe(403);
    }
  });

  it('creates with write access to all Secrets, under the name of the binding that gives it', async () => {
    await bind(BINDING, { ...BINDING, name: 'writer', level: 'write', secrets: '*' });
    await becomes(200);
    const created = await eventually(async () => {
      const answer = await job.post(secrets(), { name: 'new', data: { key: 'value' } });
      expect(answer.status).toBe(201);
      return answer.json as { secret: { lastModifiedBy: string; resourceVersion: string } };
    });
    expect(created.secret.lastModifiedBy).toBe(`machine:${namespace}/writer`);
    const { resourceVersion } = created.secret;
    const patched = await job.patch(`${secrets()}/new`, { resourceVersion, set: { key: 'other' } });
    expect(patched.json).toMatchObject({
      secret: { lastModifiedBy: `machine:${namespace}/writer`, version: 2 },
    });
  });

  it('changes access rules under the name of the binding that gives manage', async () => {
    const writer = { ...BINDING, name: 'writer', level: 'write' };
    await bind(writer, { ...BINDING, name: 'manager', level: 'manage' });
    const path = `${secrets()}/bound`;
    const read = (await becomes(200)).json as { secret: { resourceVersion: string } };
    const put = async ({ resourceVersion }: { resourceVersion: string }, change: object) => {
      const { json } = await job.put(path, { resourceVersion, ...change });
      return (json as { secret: { resourceVersion: string; lastModifiedBy: string } }).secret;
    };
    const ruled = await put(read.secret, { readerGroups: ['team-b'] });
    expect(ruled.lastModifiedBy).toBe(`machine:${namespace}/manager`);
    const described = await put(ruled, { description: 'by whoever may write' });
    expect(described.lastModifiedBy).toBe(`machine:${namespace}/writer`);
    expect(await put(ruled, { readerGroups: [] })).toBeUndefined();
    const lines = auditLines().filter(
      (line) => line['namespace'] === namespace && line['action'] === 'secret.update',
    );
    expect(lines.map(({ actor, accessLevel, outcome }) => [actor, accessLevel, outcome])).toEqual([
      [`machine:${namespace}/manager`, 'manage', 'succeeded'],
      [`machine:${namespace}/writer`, 'write', 'succeeded'],
      [`machine:${namespace}/manager`, 'manage', 'failed'],
    ]);
  });

  it('is not subject to the cross-site rules, except in sign-in', async () => {
    await bind({ ...BINDING, level: 'write', secrets: '*' });
    await becomes(200);
    const foreign = { headers: { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' } };
    expect((await job.post(secrets(), { name: 'sent' }, foreign)).status).toBe(201);
    expect((await job.post('/api/auth/logout', {}, foreign)).status).toBe(403);
  });

  it('is shown by /api/auth/me by its first binding', async () => {
    await bind(BINDING, { ...BINDING, name: 'second' });
    const identity = `machine:${namespace}/reader`;
    const me = await becomes(200, '/api/auth/me');
    expect(me.json).toEqual({ user: { sub: identity, email: identity, name: identity, groups: [] } });
    const refused = await withToken(stack.url, 'a.b.c').get('/api/auth/me');
    expect([refused.status, refused.json]).toEqual([401, { user: null }]);
    expect((await job.get('/api/access')).json).toEqual({ admin: false });
  });

  it('is refused with 403 without a binding, and within seconds once the binding is removed', async () => {
    await becomes(403);
    await bind(BINDING);
    await becomes(200);
    await bind({ ...BINDING, claims: { project_id: '8' } });
    await becomes(403);
    await bind(BINDING);
    await becomes(200);
    await stack.kube.removePolicy(namespace);
    await becomes(403);
  });

  it('gets nothing from a binding of an unknown issuer, which is logged', async () => {
    await bind({ ...BINDING, issuer: 'unknown' });
    await becomes(403);
    await eventually(() => {
      expect(stack.logLines()).toContainEqual(
        expect.objectContaining({ event: 'binding names an unknown issuer', namespace, name: 'reader' }),
      );
    });
  });

  it('gets 503 from malformed bindings, which change nothing for people, and are counted and logged', async () => {
    await stack.kube.setPolicy(namespace, { machines: '[{"name":"c4n4ry"}]', allowedGroups: '["team-a"]' });
    await becomes(503);
    const [member, stranger] = await Promise.all(
      ['team-a', 'team-b'].map((group) => stack.client(person('dev@example.com', [group]))),
    );
    expect((await member?.get(`${secrets()}/bound`))?.status).toBe(200);
    expect((await stranger?.get(`${secrets()}/bound`))?.status).toBe(403);
    await eventually(async () => {
      expect(stack.logLines()).toContainEqual(
        expect.objectContaining({
          event: 'bindings of machines are malformed',
          namespace,
          problem: '[0].issuer must name a trusted issuer',
        }),
      );
      const metrics = await (await fetch(`${stack.opsUrl}/metrics`)).text();
      expect(metrics).toContain('service_machine_policies{state="malformed"} 1');
    });
    expect(stack.log()).not.toContain('c4n4ry');
  });

  it('is ended by the revocation of its binding: tokens issued before are 401', async () => {
    await bind(BINDING);
    await becomes(200);
    const hash = createHash('sha256').update(`machine:${namespace}/reader`).digest('hex');
    const later = new Date(Date.now() + 60_000).toISOString();
    await stack.kube.setPolicy(OWN_NAMESPACE, { [hash]: later }, 'service-revocations');
    const answer = await becomes(401);
    expect([answer.json, answer.headers.get('www-authenticate')]).toEqual([
      { error: 'The bearer token is not accepted' },
      'Bearer error="invalid_token"',
    ]);
    await stack.kube.setPolicy(
      OWN_NAMESPACE,
      { [hash]: new Date(Date.now() - 60_000).toISOString() },
      'service-revocations',
    );
    await becomes(200);
  });

  it('is named in audit lines by binding, issuer and run', async () => {
    await bind(BINDING, { ...BINDING, name: 'manager', level: 'manage' });
    const run = withToken(
      stack.url,
      issuer.token({ claims: { job_id: '55', repository_id: 12, secret: 'c4n4ry' } }),
    );
    await becomes(200, `${secrets()}/bound`, run);
    await run.get(`${secrets()}/other`);
    const common = { issuer: 'ci', tokenId: 'run-1-of-job', projectId: '7', jobId: '55', namespace };
    const lines = auditLines().filter(({ namespace: one }) => one === namespace);
    expect(lines).toContainEqual(
      expect.objectContaining({ ...common, action: 'secret.read', actor: `machine:${namespace}/reader` }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ ...common, action: 'secret.read', outcome: 'denied', name: 'other' }),
    );
    const resourceVersion = (
      (await run.get(`${secrets()}/bound`)).json as { secret: { resourceVersion: string } }
    ).secret.resourceVersion;
    expect((await run.delete(`${secrets()}/bound?resourceVersion=${resourceVersion}`)).status).toBe(200);
    expect(auditLines()).toContainEqual(
      expect.objectContaining({ ...common, action: 'secret.delete', actor: `machine:${namespace}/manager` }),
    );
    expect(stack.log()).not.toContain('c4n4ry');
  });

  it('may send an algorithm of another key of its issuer', async () => {
    await bind(BINDING);
    const token = issuer.token({ header: { alg: 'ES256', kid: 'ec' }, sign: signWith('ec') });
    await becomes(200, `${secrets()}/bound`, withToken(stack.url, token));
    // Without a kid, only where one key fits.
    const nameless = issuer.token({ header: { alg: 'ES256', kid: undefined }, sign: signWith('ec') });
    await becomes(200, `${secrets()}/bound`, withToken(stack.url, nameless));
  });

  it.each([
    ['an audience among others', { aud: ['web', AUDIENCE] }],
    ['a clock that is half a minute ahead', { iat: Math.floor(Date.now() / 1_000) + 30 }],
    ['an nbf within the tolerance', { nbf: Math.floor(Date.now() / 1_000) + 30 }],
  ])('is let in with %s', async (_what, claims) => {
    await bind(BINDING);
    await becomes(200, `${secrets()}/bound`, withToken(stack.url, issuer.token({ claims })));
  });
});
