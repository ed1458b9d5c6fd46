import { readSettings, SettingsError } from '../../../src/config/settings.ts';
import type { VariableName } from '../../../src/config/variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function problemsOf(environment: Environment): readonly { variable: string; rule: string }[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

export const offenders = (environment: Environment) =>
  problemsOf(environment).map(({ variable }) => variable);

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

const KEY_VALUES: Forms = {
  good: ['a=b', 'a=b,c=d', 'authorization=Bearer%20x', 'a=', ' a = b '],
  bad: ['a', '=b', 'a=b,', 'a=%', 'a=%0d%0a', 'a b=c', 'a:b=c', 'ä=b'],
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

/** One issuer with these fields instead. */
export const issuersWith = (...issuers: readonly object[]): string =>
  JSON.stringify(
    issuers.map((fields) => ({
      name: 'ci',
      issuer: 'https://ci.example.com',
      audience: 'secrets',
      requiredClaims: { project_id: '7' },
      ...fields,
    })),
  );

const GITHUB = 'https://token.actions.githubusercontent.com';
const CLAIMS = { requiredClaims: { repository: 'a/b' } };

const TRUSTED_ISSUERS: Forms = {
  good: [
    issuersWith({}),
    issuersWith({ requiredClaims: { '/a~1b/0': ['x', 'y'] }, jwksUri: 'https://keys.example.com/jwks' }),
    issuersWith({ issuer: GITHUB, requiredClaims: { repository: 'a/b', repository_owner_id: '1' } }),
    issuersWith({}, { name: 'other', issuer: 'http://localhost:9000' }),
    issuersWith({ kind: 'cluster', requiredClaims: undefined, issuer: 'kubernetes/serviceaccount' }),
  ],
  bad: [
    'ci',
    '{}',
    '[]',
    'null',
    '[null]',
    issuersWith({ name: 'CI' }),
    issuersWith({ name: undefined }),
    issuersWith({ issuer: 'ci.example.com' }),
    issuersWith({ issuer: 'http://ci.example.com' }),
    issuersWith({ jwksUri: 'http://keys.example.com/jwks' }),
    issuersWith({ issuer: 'https://ci.example.com?x' }),
    issuersWith({ audience: ' ' }),
    issuersWith({ audience: ['secrets'] }),
    issuersWith({ requiredClaims: {} }),
    issuersWith({ requiredClaims: undefined }),
    issuersWith({ requiredClaims: { a: 1 } }),
    issuersWith({ requiredClaims: { a: [] } }),
    issuersWith({ requiredClaims: { '/a~2': 'x' } }),
    issuersWith({ jwksUri: 'file:///etc/keys' }),
    issuersWith({ kind: 'cluster' }),
    issuersWith({ kind: 'cluster', requiredClaims: undefined, caFile: '/ca.pem' }),
    issuersWith({ kind: 'cluster', requiredClaims: undefined, issuer: ' ' }),
    issuersWith({ kind: 'oidc' }),
    issuersWith({ kind: 'oidc', requiredClaims: undefined }),
    issuersWith({ caFile: 'ca.pem' }),
    issuersWith({ caFile: '/no/such/file' }),
    issuersWith({ issuer: GITHUB, ...CLAIMS }),
    issuersWith({ issuer: `${GITHUB}/an-enterprise`, ...CLAIMS }),
    issuersWith({ issuer: 'https://token.actions.octo.ghe.com', ...CLAIMS }),
    issuersWith({ issuer: 'https://gitlab.com', ...CLAIMS }),
    issuersWith({}, { issuer: 'https://other.example.com' }),
    issuersWith({}, { name: 'other' }),
    issuersWith(
      ...Array.from({ length: 17 }, (_, index) => ({ name: `i${index}`, issuer: `https://i${index}` })),
    ),
  ],
};

export const FORMS: Readonly<Record<VariableName, Forms>> = {
  NODE_ENV: ANY,
  HOST: {
    good: ['localhost', '::', '127.0.0.1', 'fe80::1%eth0', 'a.example', 'Host-1'],
    bad: [
      ' ',
      ' ::1',
      'a b',
      'http://a',
      'a/b',
      '[::]',
      '0.0.0.0:3000',
      'a:3000',
      '$(HOST)',
      '1.2.3',
      '300.0.0.1',
    ],
  },
  PORT,
  OPS_PORT: PORT,
  NEXT_PUBLIC_APP_URL: WEB_URL,
  TRUST_PROXY: { good: ['true', '2', '10.0.0.0/8'], bad: ['yes', '100', 'proxy.example.com', '10.0.0.0/33'] },
  SERVICE_TLS_CERT_FILE: { good: ['/tls/tls.crt'], bad: ['tls.crt', './tls.crt', ' /tls.crt'] },
  SERVICE_TLS_KEY_FILE: { good: ['/tls/tls.key'], bad: ['tls.key', '../tls.key'] },
  LOG_LEVEL: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    bad: ['INFO', 'verbose', '30'],
  },
  LOG_REQUESTS: { good: ['all', 'notable'], bad: ['ALL', 'none', 'true'] },
  SERVICE_WAIT_FOR_SETTINGS: FLAG,
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
  SERVICE_TRUSTED_ISSUERS: TRUSTED_ISSUERS,
  SERVICE_TRUSTED_ISSUERS_FILE: { good: [], bad: ['issuers.json', './issuers.json', '/no/such/file'] },
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
  SERVICE_DISPLAY_NAME: {
    good: ['Example Ltd', 'Überseehafen – Plattform'],
    bad: [' ', 'a'.repeat(81), 'a\u202eb', 'a\nb'],
  },
  SERVICE_ACCESS_CONTACT: {
    good: ['access@example.com', 'https://desk.example.com/new?form=secrets#top'],
    bad: [
      ...[
        'access',
        '@example.com',
        'a@b@c',
        'a b@example.com',
        'mailto:a@example.com',
        'a@example.com?cc=b@c',
      ],
      ...['http://desk.example.com', 'javascript:alert(1)', 'https://u:p@desk.example.com', 'https://a b'],
      `https://desk.example.com/${'a'.repeat(2_048)}`,
    ],
  },
  SERVICE_MANAGED_ONLY: FLAG,
  SERVICE_ANNOTATION_PREFIX: SUBDOMAIN,
  SERVICE_HISTORY_LIMIT: {
    good: ['1', '10', '1000'],
    bad: ['0', '1001', '-1', '1.5', ' 1', '1e2', 'ten', '10000'],
  },
  SERVICE_LIST_CACHE: FLAG,
  SERVICE_EXPIRY_METRICS: FLAG,
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
  OTEL_EXPORTER_OTLP_ENDPOINT: WEB_URL,
  OTEL_EXPORTER_OTLP_HEADERS: KEY_VALUES,
  OTEL_SERVICE_NAME: NONBLANK,
  OTEL_RESOURCE_ATTRIBUTES: KEY_VALUES,
  OTEL_TRACES_SAMPLER: {
    good: ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_traceidratio'],
    bad: ['on', 'ALWAYS_ON', 'jaeger_remote', 'always_on ', '0.5'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    good: ['0', '1', '0.25', '.5', '1.0'],
    bad: ['-1', '1.1', '2', '1e-3', 'half', '0,5', ' 1', '.'],
  },
  SERVICE_TRUST_TRACEPARENT: FLAG,
};

export const formsOf = (kind: keyof Forms) =>
  Object.entries(FORMS).flatMap(([name, forms]) => forms[kind].map((value) => [name, value] as const));
