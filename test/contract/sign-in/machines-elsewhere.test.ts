import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientWith, person, sessionCookie } from '../../harness/api-client.ts';
import type { ComposedService } from '../../harness/in-process-stack.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { eventually } from '../../harness/eventually.ts';
import { AUDIENCE, signWith, startTokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import {
  BINDING,
  becomes,
  bind,
  issuer,
  names,
  namespace,
  openMachinesFixture,
  secrets,
  stack,
  withToken,
} from './machines-fixture.ts';

openMachinesFixture();

const folder = mkdtempSync(join(tmpdir(), 'machines-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('machines at another service', () => {
  const open = (env: Readonly<Record<string, string>>): Promise<ComposedService> => stack.another({ env });

  it('without trusted issuers does not look at the header', async () => {
    await bind({ ...BINDING, secrets: '*' });
    const service = await open({ SERVICE_TRUSTED_ISSUERS: '' });
    const answer = await withToken(service.url, issuer.token()).get(secrets());
    expect([answer.status, answer.json]).toEqual([401, { error: 'Sign-in required' }]);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    const member = clientWith(service.url, {
      cookie: await sessionCookie(person('dev@example.com', [])),
      authorization: 'Basic x',
    });
    await becomes(200, secrets(), member);
  });

  it('without a cache reads bindings live', async () => {
    await bind(BINDING);
    const service = await open({ SERVICE_LIST_CACHE: 'false' });
    const client = withToken(service.url, issuer.token());
    expect((await client.get(`${secrets()}/bound`)).status).toBe(200);
    expect(names(await client.get(secrets()))).toEqual(['bound']);
    await stack.kube.removePolicy(namespace);
    expect((await client.get(secrets())).status).toBe(403);
  });

  it('answers 503 while the issuer cannot be reached, and 401 for a key that it no longer has', async () => {
    await bind(BINDING);
    issuer.behave({ respond: (response) => response.destroy() });
    const service = await open({});
    const answer = await withToken(service.url, issuer.token()).get(`${secrets()}/bound`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    issuer.behave({ jwks: { keys: [issuer.keys.next.publicJwk] } });
    const rotated = await open({});
    const old = await withToken(rotated.url, issuer.token()).get(`${secrets()}/bound`);
    expect(old.status).toBe(401);
    const token = issuer.token({ header: { kid: 'next' }, sign: signWith('next') });
    await becomes(200, `${secrets()}/bound`, withToken(rotated.url, token));
  });

  it.each([
    ['redirects', (response: ServerResponse) => response.writeHead(302, { location: '/jwks' }).end()],
    [
      'answers more than 256 KiB',
      (response: ServerResponse) => response.end(`{"keys":[],"x":"${'x'.repeat(262_144)}"}`),
    ],
  ])('is not served by an issuer that %s', async (_what, respond) => {
    issuer.behave({ respond });
    const service = await open({});
    const answer = await withToken(service.url, issuer.token()).get(`${secrets()}/bound`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
  });

  it('serves the machines of other issuers, and people, while one cannot be reached', async () => {
    const healthy = await startTokenIssuer();
    const trusted = [issuer, healthy].map(({ issuer: url }, index) => ({
      ...{ name: `ci-${index}`, issuer: url, audience: AUDIENCE },
      requiredClaims: { project_id: '7' },
    }));
    issuer.behave({ respond: (response) => response.destroy() });
    await bind(...trusted.map(({ name }) => ({ ...BINDING, name, issuer: name })));
    const service = await open({ SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted) });
    await becomes(200, `${secrets()}/bound`, withToken(service.url, healthy.token()));
    await becomes(503, `${secrets()}/bound`, withToken(service.url, issuer.token()));
    await becomes(200, `${secrets()}/bound`, withToken(service.url, healthy.token()));
    const member = clientWith(service.url, { cookie: await sessionCookie(person('dev@example.com', [])) });
    await becomes(200, `${secrets()}/bound`, member);
    await healthy.close();
  });

  it('trusts the certificates of a caFile, and those alone', async () => {
    const certificate = makeCertificate('localhost');
    const secure = await startTokenIssuer(certificate);
    const file = join(folder, 'ca.pem');
    const claims = { requiredClaims: { project_id: '7' } };
    const trust = (fields: object): string =>
      JSON.stringify([{ name: 'ci', issuer: secure.issuer, audience: AUDIENCE, ...claims, ...fields }]);
    await bind(BINDING);
    const statusWith = async (fields: object): Promise<number> => {
      const service = await open({ SERVICE_TRUSTED_ISSUERS: trust(fields) });
      return (await withToken(service.url, secure.token()).get(`${secrets()}/bound`)).status;
    };
    expect(await statusWith({})).toBe(503);
    writeFileSync(file, makeCertificate('localhost').cert);
    expect(await statusWith({ caFile: file })).toBe(503);
    writeFileSync(file, certificate.cert);
    await eventually(async () => {
      expect(await statusWith({ caFile: file })).toBe(200);
    });
    await secure.close();
  });

  it('limits successes by binding, and failures by address', async () => {
    await bind(BINDING, { ...BINDING, name: 'eight', claims: { project_id: '8' } });
    const service = await open({ SERVICE_RATE_LIMIT: '3/1m', SERVICE_LOGIN_RATE_LIMIT: '2/1m' });
    const client = withToken(service.url, issuer.token());
    await becomes(200, `${secrets()}/bound`, client);
    for (let count = 0; count < 5; count++) await client.get(`${secrets()}/bound`);
    expect((await client.get(`${secrets()}/bound`)).status).toBe(429);
    const other = withToken(service.url, issuer.token({ claims: { project_id: '8' } }));
    expect((await other.get(`${secrets()}/bound`)).status).toBe(200);
    const bad = withToken(service.url, issuer.token({ claims: { aud: 'web' } }));
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await bad.get(secrets())).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await other.get(`${secrets()}/bound`)).status).toBe(200);
  });
});
