import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError, type Settings } from '../../../src/config/settings.ts';
import { VARIABLES, type VariableName } from '../../../src/config/variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OIDC = { OIDC_ISSUER: 'https://idp.example.com', OIDC_CLIENT_ID: 'client' };

function problemsOf(environment: Environment): readonly { variable: string; rule: string }[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

const offenders = (environment: Environment) => problemsOf(environment).map(({ variable }) => variable);

describe('settings without any variable', () => {
  it('are the defaults', () => {
    expect(readSettings({})).toEqual({
      production: false,
      http: {
        host: '0.0.0.0',
        port: 3000,
        opsPort: 9090,
        trustProxy: undefined,
        publicUrl: 'http://localhost:3000',
      },
      auth: {
        disabled: false,
        oidc: undefined,
        sessionSecret: undefined,
        previousSessionSecret: undefined,
        compactSessions: false,
        revocations: undefined,
      },
      access: {
        adminUsers: [],
        adminGroups: [],
        groupsFilter: [],
        namespaces: { everyNamespace: true, named: [] },
        policyName: 'service-policy',
      },
      secrets: {
        managedOnly: false,
        annotationPrefix: 'service.io',
        historyLimit: 10,
        orphanTtlMs: undefined,
      },
      lists: { cache: true, maxSilenceMs: 90_000 },
      consumers: { enabled: false },
      restart: { enabled: false },
      limits: {
        bodyBytes: 67_108_864,
        requestsPerSession: { requests: 1200, windowMs: 60_000 },
        loginsPerAddress: { requests: 60, windowMs: 60_000 },
      },
      logLevel: 'info',
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
    expect(limits).toMatchObject({ requestsPerSession: undefined, loginsPerAddress: undefined });
  });

  it('refuse one port for two', () => {
    expect(problemsOf({ PORT: '9090' })).toEqual([{ variable: 'OPS_PORT', rule: 'must differ from PORT' }]);
    expect(problemsOf({ PORT: '0', OPS_PORT: '0' })).toEqual([]);
  });
});

interface Forms {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const FLAG: Forms = { good: ['true', 'false'], bad: ['TRUE', 'yes', '1', ' true', 'true\n', 'null'] };
const PORT: Forms = {
  good: ['0', '1', '65535'],
  bad: ['65536', '-1', '1.5', '0x50', ' 1', '1e3', '100000', 'http'],
};
const ANY: Forms = { good: ['x', ' ', '[', 'production'], bad: [] };
const NONBLANK: Forms = { good: ['x', ' x '], bad: [' ', '\t'] };
const PRINCIPALS: Forms = {
  good: ['a', 'a,b', '["a"]', '[]', ' [ "a" ] '],
  bad: ['[', '["a"', '[1]', '[""]', '[" "]', '[null]', '[["a"]]', '["a",]', '[a]'],
};
const WEB_URL: Forms = {
  good: ['https://a', 'http://localhost:3000', 'https://a.example/base/', 'https://[::1]:8443'],
  bad: [
    'a.example',
    '/path',
    'ftp://a',
    'javascript:alert(1)',
    'https://',
    'https://a?x',
    'https://a/?',
    'https://a#x',
    'https://a/#',
    'https://user@a',
    'https://user:pass@a',
    'https://a b',
    ' https://a',
    'https://a\n',
  ],
};
const CLAIM: Forms = {
  good: ['email', 'a.b.c', 'https://example', 'urn:x'],
  bad: ['.', 'a.', '.a', 'a..b', 'a b', ' '],
};
const SUBDOMAIN: Forms = {
  good: ['a', 'service.io', 'a-b.c', 'a'.repeat(253)],
  bad: ['A', 'a_b', 'a/b', '-a', 'a-', 'a..b', '.a', 'a.', 'é', 'a'.repeat(254), ' a'],
};
const RATE: Forms = {
  good: ['off', '1/1ms', '1200/1m', '9999999/24d', '576/576h'],
  bad: [
    '0/1m',
    '1',
    '1/m',
    '/1m',
    '1/0s',
    '-1/1m',
    '01/1m',
    '1/1m ',
    '1/25d',
    '1/577h',
    '10000000/1m',
    'OFF',
    '1 / 1m',
  ],
};

const FORMS: Readonly<Record<VariableName, Forms>> = {
  NODE_ENV: ANY,
  HOST: { good: ['localhost', '::', '127.0.0.1', 'a.example'], bad: [' ', 'a b', 'http://a', 'a/b'] },
  PORT,
  OPS_PORT: PORT,
  NEXT_PUBLIC_APP_URL: WEB_URL,
  TRUST_PROXY: { good: ['true', '2', '10.0.0.0/8'], bad: ['yes', '100', 'proxy.example.com', '10.0.0.0/33'] },
  LOG_LEVEL: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    bad: ['INFO', 'verbose', '30'],
  },
  AUTH_DISABLED: FLAG,
  SESSION_SECRET_PREVIOUS: { good: ['x'], bad: [] },
  POD_NAMESPACE: { good: ['secrets-management'], bad: ['A', 'a.b', 'a/b', '-'] },
  SERVICE_COMPACT_SESSIONS: FLAG,
  SERVICE_REVOCATIONS_NAME: { good: ['service-revocations', 'a.b'], bad: ['A', '_', 'a/b'] },
  SESSION_SECRET: ANY,
  OIDC_ISSUER: WEB_URL,
  OIDC_CLIENT_ID: NONBLANK,
  OIDC_CLIENT_SECRET: NONBLANK,
  OIDC_CLIENT_AUTH_METHOD: {
    good: ['client_secret_basic', 'client_secret_post'],
    bad: ['none', 'private_key_jwt', 'Client_Secret_Basic'],
  },
  OIDC_SCOPES: { good: ['openid', ' openid  email '], bad: ['email', 'OpenID', 'openid,email', ' '] },
  OIDC_GROUPS_CLAIM: CLAIM,
  OIDC_USERNAME_CLAIM: CLAIM,
  OIDC_NAME_CLAIM: CLAIM,
  OIDC_REDIRECT_URI: WEB_URL,
  OIDC_ALLOW_HTTP: FLAG,
  OIDC_ALLOW_UNVERIFIED_EMAIL: FLAG,
  OIDC_RP_LOGOUT: FLAG,
  SERVICE_ADMIN_USERS: PRINCIPALS,
  SERVICE_ADMIN_GROUPS: PRINCIPALS,
  SERVICE_GROUPS_FILTER: {
    good: ['team-*', 'a,b*', '["cn=*,dc=example"]', '*', 'x'.repeat(256), Array(64).fill('a').join(',')],
    bad: [',', ' ', '[]', '[""]', '["a"', 'x'.repeat(257), Array(65).fill('a').join(',')],
  },
  SERVICE_NAMESPACES: {
    good: ['a', 'team-a,team-b', '["a"]', 'a'.repeat(63), '*', '*,kube-system', '*,*,a'],
    bad: [
      ',',
      ' ',
      '[]',
      'A',
      'a.b',
      'a_b',
      '-a',
      '**',
      'a*',
      'team-*',
      '*,B',
      'a,B',
      'a'.repeat(64),
      '["a"',
      '[1]',
    ],
  },
  SERVICE_POLICY_NAME: SUBDOMAIN,
  SERVICE_MANAGED_ONLY: FLAG,
  SERVICE_ANNOTATION_PREFIX: SUBDOMAIN,
  SERVICE_HISTORY_LIMIT: {
    good: ['1', '10', '1000'],
    bad: ['0', '1001', '-1', '1.5', ' 1', '1e2', 'ten', '10000'],
  },
  SERVICE_LIST_CACHE: FLAG,
  SERVICE_CACHE_MAX_SILENCE: {
    good: ['90s', '2m', '24h'],
    bad: ['90', '0s', '-1s', '1.5m', ' 90s', 's', 'off', '25h', '30d'],
  },
  SERVICE_HISTORY_ORPHAN_TTL: {
    good: ['1ms', '90s', '72h', '30d'],
    bad: ['0s', '30', '-1d', '1.5h', '1w', ' 1d', 'for ever', '99999999d999'],
  },
  SERVICE_CONSUMERS_ENABLED: FLAG,
  SERVICE_RESTART_ENABLED: FLAG,
  SERVICE_BODY_BUDGET: {
    good: ['64MiB', '65536KiB', '1GiB', '64GiB'],
    bad: ['63MiB', '65535KiB', '65GiB', '67108864', '64MB', '64 MiB', '0GiB', '-64MiB', '0.5GiB', 'off'],
  },
  SERVICE_RATE_LIMIT: RATE,
  SERVICE_LOGIN_RATE_LIMIT: RATE,
};

const formsOf = (kind: keyof Forms) =>
  Object.entries(FORMS).flatMap(([name, forms]) => forms[kind].map((value) => [name, value] as const));

describe('the form of a variable', () => {
  it.each(formsOf('good'))('%s takes %j', (name, value) => {
    expect(offenders({ [name]: value })).not.toContain(name);
  });

  it.each(formsOf('bad'))('%s refuses %j, alone and without repeating it', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems.map(({ variable }) => variable)).toEqual([name]);
    const [problem] = problems;
    expect(problem?.rule).toMatch(/^must /);
    if (value.length > 8) expect(problem?.rule).not.toContain(value);
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
