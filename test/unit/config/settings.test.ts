import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError, type Settings } from '../../../src/config/settings.ts';
import { VARIABLES, type VariableName } from '../../../src/config/variables.ts';
import { problemsOf, formsOf, FORMS, offenders } from './settings-fixture.ts';

const OIDC = { OIDC_ISSUER: 'https://idp.example.com', OIDC_CLIENT_ID: 'client' };

describe('settings without any variable', () => {
  it('are the defaults', () => {
    expect(readSettings({})).toEqual({
      production: false,
      missing: [],
      http: {
        host: '0.0.0.0',
        port: 3000,
        opsPort: 9090,
        trustProxy: undefined,
        tls: undefined,
        publicUrl: 'http://localhost:3000',
      },
      auth: {
        disabled: false,
        oidc: undefined,
        sessionSecret: undefined,
        previousSessionSecret: undefined,
        compactSessions: false,
        revocations: undefined,
        trustedIssuers: [],
      },
      access: {
        adminUsers: [],
        adminGroups: [],
        groupsFilter: [],
        namespaces: { everyNamespace: true, named: [] },
        policyName: 'service-policy',
        contact: undefined,
      },
      secrets: {
        managedOnly: false,
        annotationPrefix: 'service.io',
        historyLimit: 10,
        orphanTtlMs: undefined,
      },
      lists: { cache: true, maxSilenceMs: 90_000, expiryMetrics: false },
      consumers: { enabled: false },
      restart: { enabled: false },
      limits: {
        bodyBytes: 67_108_864,
        requestsPerPerson: { requests: 1200, windowMs: 60_000 },
        loginsPerAddress: { requests: 60, windowMs: 60_000 },
      },
      displayName: undefined,
      logLevel: 'info',
      loggedRequests: 'notable',
      tracing: undefined,
    } satisfies Settings);
  });

  it('are the same when every variable is set to nothing', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it('ignore variables that are none of the service', () => {
    expect(readSettings({ PATH: '/bin', SERVICE_UNKNOWN: '[', npm_config_port: 'x' })).toEqual(
      readSettings({}),
    );
  });
});

describe('settings', () => {
  it('are frozen through and through, and share nothing with the environment', () => {
    const settings = readSettings({ ...OIDC, SERVICE_ADMIN_USERS: 'a', TRUST_PROXY: 'loopback' });
    const unfrozen = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      (!Object.isFrozen(value) || Object.values(value).some(unfrozen));
    expect(unfrozen(settings)).toBe(false);
    expect(() => {
      (settings.access.adminUsers as string[]).push('b');
    }).toThrow(TypeError);
  });

  it('of sign-in are there once issuer and client id are', () => {
    expect(readSettings({ OIDC_ISSUER: OIDC.OIDC_ISSUER }).auth.oidc).toBeUndefined();
    expect(readSettings({ OIDC_CLIENT_ID: 'client' }).auth.oidc).toBeUndefined();
    expect(readSettings(OIDC).auth.oidc).toEqual({
      issuer: 'https://idp.example.com',
      clientId: 'client',
      clientSecret: undefined,
      clientAuthMethod: 'client_secret_basic',
      scopes: ['openid', 'profile', 'email', 'groups'],
      groupsClaim: 'groups',
      usernameClaim: 'email',
      nameClaim: 'name',
      redirectUri: 'http://localhost:3000/api/auth/callback',
      allowHttp: false,
      allowUnverifiedEmail: false,
      postLogoutRedirectUri: undefined,
    });
  });

  it.each([
    'https://idp.example.com',
    'https://idp.example.com/',
    'https://IDP.example.com/a/../b',
    'HTTPS://x',
  ])('keep the issuer %s to the letter', (issuer) => {
    expect(readSettings({ ...OIDC, OIDC_ISSUER: issuer }).auth.oidc?.issuer).toBe(issuer);
  });

  it.each([
    [{ PORT: '8080' }, 'http://localhost:8080/api/auth/callback'],
    [{ PORT: '80' }, 'http://localhost/api/auth/callback'],
    [{ NEXT_PUBLIC_APP_URL: 'https://a.example/' }, 'https://a.example/api/auth/callback'],
    [{ NEXT_PUBLIC_APP_URL: 'https://a.example/base//' }, 'https://a.example/base/api/auth/callback'],
    [
      { NEXT_PUBLIC_APP_URL: 'https://a.example', OIDC_REDIRECT_URI: 'https://b.example/cb' },
      'https://b.example/cb',
    ],
  ])('of %j come with the redirect URI %s', (environment, redirectUri) => {
    expect(readSettings({ ...OIDC, ...environment }).auth.oidc?.redirectUri).toBe(redirectUri);
  });

  it('with the logout at the provider come back to the sign-in page of the public URL', () => {
    const environment = { ...OIDC, NEXT_PUBLIC_APP_URL: 'https://a.example/base/' };
    expect(readSettings({ ...environment, OIDC_RP_LOGOUT: 'true' }).auth.oidc?.postLogoutRedirectUri).toBe(
      'https://a.example/base/login',
    );
    expect(
      readSettings({ ...environment, OIDC_RP_LOGOUT: 'false' }).auth.oidc?.postLogoutRedirectUri,
    ).toBeUndefined();
  });

  it('without sign-in are for this machine, unless HOST says otherwise, and never for production', () => {
    expect(readSettings({}).http.host).toBe('0.0.0.0');
    expect(readSettings({ AUTH_DISABLED: 'false' }).http.host).toBe('0.0.0.0');
    expect(readSettings({ AUTH_DISABLED: 'true' }).http.host).toBe('127.0.0.1');
    expect(readSettings({ AUTH_DISABLED: 'true', HOST: '0.0.0.0' }).http.host).toBe('0.0.0.0');
    const url = { NEXT_PUBLIC_APP_URL: 'https://secrets.example.com' };
    for (const environment of [{}, url]) {
      expect(problemsOf({ NODE_ENV: 'production', AUTH_DISABLED: 'true', ...environment })).toEqual([
        { variable: 'AUTH_DISABLED', rule: 'must not be true in production' },
      ]);
    }
  });

  it('of TLS are a certificate and a key, and neither without the other', () => {
    const [certFile, keyFile] = ['/tls/tls.crt', '/tls/tls.key'];
    expect(readSettings({ SERVICE_TLS_CERT_FILE: certFile, SERVICE_TLS_KEY_FILE: keyFile }).http.tls).toEqual(
      {
        certFile,
        keyFile,
      },
    );
    expect(problemsOf({ SERVICE_TLS_CERT_FILE: certFile })).toEqual([
      { variable: 'SERVICE_TLS_KEY_FILE', rule: 'is required with SERVICE_TLS_CERT_FILE' },
    ]);
    expect(problemsOf({ SERVICE_TLS_KEY_FILE: keyFile })).toEqual([
      { variable: 'SERVICE_TLS_CERT_FILE', rule: 'is required with SERVICE_TLS_KEY_FILE' },
    ]);
    const malformed = problemsOf({ SERVICE_TLS_CERT_FILE: certFile, SERVICE_TLS_KEY_FILE: 'tls.key' });
    expect(malformed).toEqual([{ variable: 'SERVICE_TLS_KEY_FILE', rule: 'must be an absolute path' }]);
  });

  it('of production need a public URL while sign-in is enabled', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      { variable: 'NEXT_PUBLIC_APP_URL', rule: 'is required in production with auth enabled' },
    ]);
    const url = 'https://secrets.example.com';
    expect(readSettings({ NODE_ENV: 'production', NEXT_PUBLIC_APP_URL: url })).toMatchObject({
      production: true,
      http: { publicUrl: url },
    });
  });

  it('of production complain about a malformed public URL once', () => {
    expect(problemsOf({ NODE_ENV: 'production', NEXT_PUBLIC_APP_URL: 'x' })).toHaveLength(1);
  });

  it.each(['Production', 'prod', 'development', 'test', ' production'])(
    'of NODE_ENV=%s are not production',
    (value) => {
      expect(readSettings({ NODE_ENV: value }).production).toBe(false);
    },
  );

  it('need no signing key, and take any as given', () => {
    for (const SESSION_SECRET of [' ', 'short', '\t', 'x'.repeat(500)]) {
      expect(readSettings({ SESSION_SECRET }).auth.sessionSecret).toBe(SESSION_SECRET);
    }
  });

  it('sort the scope and name each namespace once', () => {
    const names = { everyNamespace: false, named: ['a', 'b'] };
    expect(readSettings({ SERVICE_NAMESPACES: 'b, a ,b,,' }).access.namespaces).toEqual(names);
    expect(readSettings({ SERVICE_NAMESPACES: '["b","a"]' }).access.namespaces).toEqual(names);
  });

  it.each([
    ['*', []],
    ['*,*', []],
    [' * , kube-system', ['kube-system']],
    ['team-a,*,kube-system,*', ['kube-system', 'team-a']],
    ['["*"]', []],
  ])('take %s for the whole cluster, with what is named beside it', (SERVICE_NAMESPACES, named) => {
    const { namespaces } = readSettings({ SERVICE_NAMESPACES }).access;
    expect(namespaces).toEqual({ everyNamespace: true, named });
  });

  it('take principals as a list or as a JSON array, whose entries may hold commas', () => {
    const admins = (value: string) => readSettings({ SERVICE_ADMIN_GROUPS: value }).access.adminGroups;
    expect(admins(' a , B,, a ')).toEqual(['a', 'B', 'a']);
    expect(admins(' ["cn=a,dc=b", " padded "] ')).toEqual(['cn=a,dc=b', ' padded ']);
    expect(admins('[]')).toEqual([]);
    expect(admins(',')).toEqual([]);
    expect(admins('__proto__')).toEqual(['__proto__']);
  });

  it('turn limits off', () => {
    const { limits } = readSettings({ SERVICE_RATE_LIMIT: 'off', SERVICE_LOGIN_RATE_LIMIT: 'off' });
    expect(limits).toMatchObject({ requestsPerPerson: undefined, loginsPerAddress: undefined });
  });

  it('refuse one port for two', () => {
    expect(problemsOf({ PORT: '9090' })).toEqual([{ variable: 'OPS_PORT', rule: 'must differ from PORT' }]);
    expect(problemsOf({ PORT: '0', OPS_PORT: '0' })).toEqual([]);
  });
});

describe('problems', () => {
  it('are all reported at once', () => {
    const bad = Object.fromEntries(formsOf('bad'));
    expect(offenders(bad).toSorted()).toEqual(
      Object.keys(FORMS)
        .filter((name) => FORMS[name as VariableName].bad.length > 0)
        .toSorted(),
    );
  });

  it('never hold a value', () => {
    const planted = 'planted 4711/?#,[';
    const environment = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, `[${planted}`]));
    let thrown: unknown;
    try {
      readSettings(environment);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SettingsError);
    expect(`${String(thrown)} ${JSON.stringify(thrown)} ${(thrown as Error).stack ?? ''}`).not.toContain(
      '4711',
    );
    expect((thrown as SettingsError).problems.length).toBeGreaterThan(20);
  });

  it('are named in the message with their rules', () => {
    expect(() => readSettings({ PORT: 'x', AUTH_DISABLED: 'x' })).toThrow(
      'Invalid configuration: PORT must be a port number, 0 to 65535; AUTH_DISABLED must be true or false',
    );
  });
});
