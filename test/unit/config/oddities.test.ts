import { describe, expect, it } from 'vitest';
import { settingOddities } from '../../../src/config/oddities.ts';
import { readSettings } from '../../../src/config/settings.ts';

const WELL_SET = {
  NODE_ENV: 'production',
  NEXT_PUBLIC_APP_URL: 'https://secrets.example.com/',
  OIDC_ISSUER: 'https://login.example.com/realms/main',
  OIDC_CLIENT_ID: 'secrets',
  OIDC_CLIENT_SECRET: 'x # y',
  SERVICE_ADMIN_GROUPS: '["team # 1"]',
  SERVICE_ADMIN_USERS: 'c#@example.com',
  TRUST_PROXY: '10.244.3.0/24',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  // Of others: Kubernetes, a shell, OpenTelemetry.
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  PATH: '/bin # x',
  OTEL_TRACES_EXPORTER: 'otlp',
};

function odditiesOf(changes: Readonly<Record<string, string>>) {
  const environment = { ...WELL_SET, ...changes };
  return settingOddities(environment, readSettings(environment));
}

it('settings as the documentation has them are not odd', () => {
  expect(odditiesOf({})).toEqual([]);
});

describe('odd is', () => {
  it.each([
    ['NODE_ENV', 'prodution', /not production/],
    ['OIDC_CLIENT_ID', 'secrets ', /white space/],
    ['OIDC_CLIENT_SECRET', '"secret"', /quotes/],
    ['OIDC_CLIENT_ID', 'secrets # of the realm', /comment/],
    ['SERVICE_ADMIN_GROUPS', 'platform-admins # ours', /comment/],
    ['OIDC_ISSUER', 'https://login.example.com/.well-known/openid-configuration', /discovery document/],
    ['NEXT_PUBLIC_APP_URL', 'http://secrets.example.com', /no one can sign in/],
    ['NEXT_PUBLIC_APP_URL', 'https://example.com/secrets', /path/],
    ['TRUST_PROXY', 'true', /every client/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/v1/traces', /appended/],
    ['SERVICE_NAMESPACE', 'team-a', /no such setting/],
    ['OIDC_SCOPE', 'openid', /no such setting/],
    ['SESSION_KEY', 'c4n4ry', /no such setting/],
  ])('%s, as %j, which is not repeated', (variable, value, problem) => {
    const [oddity, ...others] = odditiesOf({ [variable]: value });
    expect(oddity).toEqual({ variable, problem: expect.stringMatching(problem) as string });
    expect(others).toEqual([]);
    expect(oddity?.problem).not.toContain(value.trim());
  });

  it.each(['email', 'preferred_username', 'upn'])(
    'a user name of Entra ID by %s, but not by oid',
    (claim) => {
      for (const host of ['login.microsoftonline.com', 'login.microsoftonline.us']) {
        const entra = { OIDC_ISSUER: `https://${host}/tenant/v2.0`, OIDC_USERNAME_CLAIM: claim };
        expect(odditiesOf(entra)).toEqual([
          { variable: 'OIDC_USERNAME_CLAIM', problem: expect.stringMatching(/use oid/) as string },
        ]);
        expect(odditiesOf({ ...entra, OIDC_USERNAME_CLAIM: 'oid' })).toEqual([]);
      }
      const elsewhere = { OIDC_ISSUER: 'https://microsoftonline.example.com', OIDC_USERNAME_CLAIM: claim };
      expect(odditiesOf(elsewhere)).toEqual([]);
    },
  );

  it('http on this machine not, nor outside production', () => {
    expect(odditiesOf({ NEXT_PUBLIC_APP_URL: 'http://localhost:3000' })).toEqual([]);
    expect(odditiesOf({ NEXT_PUBLIC_APP_URL: 'http://test.example.com', NODE_ENV: 'test' })).toEqual([]);
  });

  it('at most ten of the variables that there are not', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`SERVICE_X${index}`, 'y']));
    expect(odditiesOf(many)).toHaveLength(10);
  });
});
