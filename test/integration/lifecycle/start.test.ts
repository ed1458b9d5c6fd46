import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { signInOverHttp } from '../../../hack/sign-in-over-http.ts';
import { errorOf } from '../../harness/answers.ts';
import { ADMIN, clientFor } from '../../harness/api-client.ts';
import { freePort } from '../../harness/free-port.ts';
import {
  startService,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '../../harness/service-process.ts';
import { openFolderWithCluster, type FolderWithCluster } from './folder-with-cluster.ts';
import { eventually } from '../../harness/eventually.ts';

let here: FolderWithCluster;

beforeAll(async () => {
  here = await openFolderWithCluster();
});
afterAll(async () => {
  await here.close();
});
afterEach(() => {
  here.dev.faults.clear();
});

async function started(options: Partial<ServiceProcessOptions> = {}): Promise<ServiceProcess> {
  const service = await startService({ kubeconfigFile: here.kubeconfigFile, ...options });
  onTestFinished(async () => {
    await service.stop();
  });
  return service;
}

const readiness = async ({ opsUrl }: ServiceProcess): Promise<string> => {
  const answer = await fetch(`${opsUrl}/readyz`);
  return `${answer.status} ${await answer.text()}`;
};

describe('a start with the cluster down', () => {
  it('is live and not ready, says what it waits for, and recovers without a restart', async () => {
    const port = await freePort();
    const config = here.file(
      'later',
      here.dev.kubeconfig().replaceAll(here.dev.url, `http://127.0.0.1:${port}`),
    );
    const service = await started({ kubeconfigFile: config, waitFor: 'live' });
    const admin = await clientFor(service.url, ADMIN);
    expect(await readiness(service)).toBe(
      '503 not ready: cluster (ECONNREFUSED), prefix (not read yet), caches (waiting for the first lists)\n',
    );
    await eventually(() => {
      const line = { event: 'not ready yet', waitingFor: expect.stringContaining('cluster (') as string };
      expect(service.logLines()).toContainEqual(expect.objectContaining(line));
    });
    errorOf(await admin.get('/api/namespaces'), 503);
    expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);

    const later = await startDevCluster({ port });
    onTestFinished(() => later.close());

    await eventually(async () => {
      expect(await readiness(service)).toBe('200 ok\n');
    });
    expect((await admin.get('/api/namespaces')).status).toBe(200);
  });

  it('that fails later makes the service not ready until it is back', async () => {
    const service = await started();
    expect(await readiness(service)).toBe('200 ok\n');
    here.dev.faults.add({ match: { path: '^/version' }, action: { type: 'status', status: 503 } });
    await eventually(async () => {
      expect(await readiness(service)).toBe('503 not ready: cluster (clusterStatus:503)\n');
    });
    here.dev.faults.clear();
    await eventually(async () => {
      expect(await readiness(service)).toBe('200 ok\n');
    });
  });
});

describe('a start with the provider down', () => {
  it('is live and ready for those who are signed in, logins are 502, and recover without a restart', async () => {
    const [port, issuerPort] = [await freePort(), await freePort()];
    const service = await started({
      env: {
        PORT: String(port),
        OIDC_ISSUER: `http://localhost:${issuerPort}`,
        OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
        OIDC_ALLOW_HTTP: 'true',
      },
    });
    const url = `http://localhost:${port}`;
    expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
    const signedIn = await clientFor(url, ADMIN);
    expect((await signedIn.get('/api/namespaces')).status).toBe(200);
    errorOf(await signedIn.get('/api/auth/login'), 502);

    const idp = await startDevIdp({ port: issuerPort, redirectUris: [`${url}/api/auth/callback`] });
    onTestFinished(() => idp.close());

    const developer = { account: 'developer-a@example.com', password: 'developer-a-password' };
    const cookie = await eventually(() => signInOverHttp({ serviceUrl: url, ...developer }));
    const me = await fetch(`${url}/api/auth/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ user: { email: 'developer-a@example.com' } });
  });
});

describe('the checks after the start', () => {
  const OIDC = { OIDC_CLIENT_ID: PUBLIC_CLIENT_ID, OIDC_ALLOW_HTTP: 'true' };
  const lineOf = (service: ServiceProcess, event: RegExp) =>
    eventually(() => {
      const line = service.logLines().find((candidate) => event.test(String(candidate['event'])));
      expect(line).toBeDefined();
      return line;
    });

  it('say that a provider does not answer, with a hint, before anyone signs in', async () => {
    const service = await started({ env: { ...OIDC, OIDC_ISSUER: `http://localhost:${await freePort()}` } });
    expect(await lineOf(service, /^sign-in/)).toMatchObject({
      level: 'warn',
      event: 'sign-in will fail',
      code: 'provider_unreachable',
      systemCode: 'ECONNREFUSED',
      stage: 'discovery',
      hint: expect.stringContaining('OIDC_ISSUER') as string,
    });
    expect(await readiness(service)).toBe('200 ok\n');
  });

  it.each([
    ['not_configured', { OIDC_ISSUER: '' }],
    ['invalid_signing_key', { OIDC_ISSUER: 'http://localhost:9', SESSION_SECRET: 'short' }],
    ['insecure_issuer', { OIDC_ISSUER: 'http://provider.invalid' }],
  ])('say %s', async (code, env) => {
    const service = await started({ env: { ...OIDC, ...env } });
    expect(await lineOf(service, /^sign-in/)).toMatchObject({ event: 'sign-in will fail', code });
  });

  it('say that sign-in can begin', async () => {
    const idp = await startDevIdp({ port: 0, redirectUris: [] });
    onTestFinished(() => idp.close());
    const service = await started({ env: { ...OIDC, OIDC_ISSUER: idp.issuer } });
    expect(await lineOf(service, /^sign-in/)).toMatchObject({ level: 'info', event: 'sign-in can begin' });
  });

  it('name the namespaces of the scope that do not exist', async () => {
    const service = await started({ env: { SERVICE_NAMESPACES: 'default,taem-a,*' } });
    await lineOf(service, /looks wrong/);
    expect(service.logLines().filter(({ event }) => event === 'a setting looks wrong')).toEqual([
      expect.objectContaining({ level: 'warn', variable: 'SERVICE_NAMESPACES', namespace: 'taem-a' }),
    ]);
  });

  it('say that no one is an administrator', async () => {
    const service = await started({ env: { SERVICE_ADMIN_USERS: '', SERVICE_ADMIN_GROUPS: '' } });
    expect(await lineOf(service, /looks wrong/)).toMatchObject({
      level: 'warn',
      variable: 'SERVICE_ADMIN_USERS',
    });
  });
});

describe('SESSION_SECRET', () => {
  const OIDC = { OIDC_ISSUER: 'http://localhost:9', OIDC_CLIENT_ID: 'service', OIDC_ALLOW_HTTP: 'true' };

  it.each([
    ['missing', ''],
    ['too short', 'short-key-value'],
    ['blank', ' '.repeat(40)],
  ])(
    'that is %s: the service starts and is ready, no one is signed in, and a login is 502',
    async (_how, key) => {
      const service = await started({ env: { ...OIDC, SESSION_SECRET: key } });
      // Signed with the key that the tests use elsewhere.
      const client = await clientFor(service.url, ADMIN);
      const me = await client.get('/api/auth/me');
      expect([me.status, me.json]).toEqual([401, { user: null }]);
      expect(errorOf(await client.get('/api/namespaces'), 401)).toBe('Sign-in required');
      const login = await client.get('/api/auth/login');
      expect(login.status).toBe(502);
      expect(login.headers.getSetCookie()).toEqual([]);
      if (key.trim() !== '') expect(service.output() + login.text).not.toContain(key);
    },
  );
});

describe('AUTH_DISABLED', () => {
  const metric = async ({ opsUrl }: ServiceProcess): Promise<string | undefined> =>
    /^service_auth_disabled (.*)$/m.exec(await (await fetch(`${opsUrl}/metrics`)).text())?.[1];
  const warnings = (service: ServiceProcess) =>
    service.logLines().filter(({ level, variable }) => level === 'warn' && variable === 'AUTH_DISABLED');

  it('=true serves everyone as an administrator, and cannot be overlooked', async () => {
    const service = await started({ env: { AUTH_DISABLED: 'true', SESSION_SECRET: '' } });
    const anyone = await clientFor(service.url);
    expect((await anyone.get('/api/config')).json).toMatchObject({ authDisabled: true });
    expect((await anyone.get('/api/namespaces')).status).toBe(200);
    const login = await anyone.get('/api/auth/login');
    expect([login.status, login.headers.get('location')]).toEqual([302, '/']);
    expect(login.headers.getSetCookie()).toEqual([]);
    expect(warnings(service)).toHaveLength(1);
    expect(await metric(service)).toBe('1');
  });

  it('unset makes everyone sign in, and says so', async () => {
    const service = await started();
    const anyone = await clientFor(service.url);
    expect((await anyone.get('/api/config')).json).toMatchObject({ authDisabled: false });
    errorOf(await anyone.get('/api/namespaces'), 401);
    expect(warnings(service)).toEqual([]);
    expect(await metric(service)).toBe('0');
  });
});

describe('a start with an unknown NODE_ENV', () => {
  it('is a start, with a warning that names the setting and its rule, and not its value', async () => {
    const service = await started({ env: { NODE_ENV: 'prodution' } });
    const line = service.logLines().find(({ variable }) => variable === 'NODE_ENV');
    expect(line).toMatchObject({ level: 'warn', event: 'a setting looks wrong' });
    expect(service.output()).not.toContain('prodution');
  });
});

describe("a start with a client's secret that was copied with more than the secret", () => {
  it.each(['"c4n4ry"', 'c4n4ry\n'])(
    'is a start, with a warning that does not repeat it: %j',
    async (secret) => {
      const OIDC = { OIDC_ISSUER: 'https://provider.invalid', OIDC_CLIENT_ID: 'client' };
      const service = await started({ env: { ...OIDC, OIDC_CLIENT_SECRET: secret } });
      const lines = service.logLines().filter(({ variable }) => variable === 'OIDC_CLIENT_SECRET');
      expect(lines).toEqual([expect.objectContaining({ level: 'warn', event: 'a setting looks wrong' })]);
      expect(service.output()).not.toContain('c4n4ry');
    },
  );
});

describe('a start that believes too many proxies', () => {
  it.each([
    ['production', 'loopback, uniquelocal', 1],
    ['production', 'true', 1],
    ['production', '10.244.3.0/24', 0],
    ['development', 'uniquelocal', 0],
  ])('in %s with %s is a start, with a warning where it matters', async (NODE_ENV, TRUST_PROXY, warned) => {
    const env = { NODE_ENV, TRUST_PROXY, NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' };
    const service = await started({ env });
    const lines = service.logLines().filter(({ variable }) => variable === 'TRUST_PROXY');
    const line = { level: 'warn', event: 'a setting looks wrong' };
    expect(lines).toEqual(Array.from({ length: warned }, () => expect.objectContaining(line) as object));
  });
});
