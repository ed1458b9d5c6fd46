import { describe, expect, test } from 'vitest';
import { isSecureAddress } from '../../../../src/auth/login/provider-rules.ts';
import { readSettings } from '../../../../src/config/settings.ts';

const LOOPBACK = [
  'http://localhost',
  'http://LOCALHOST:3001/path',
  'http://127.0.0.1:3001',
  'http://127.255.255.254',
  'http://127.1/',
  'http://0x7f.0.0.1/',
  'http://2130706433/',
  'http://[::1]:3001/',
  'http://[0:0:0:0:0:0:0:1]/',
];

const ELSEWHERE = [
  'http://provider.example',
  'http://localhost.evil.example',
  'http://evil.example/localhost',
  'http://localhost@evil.example',
  'http://evil.example#localhost',
  'http://127.0.0.1.evil.example',
  'http://128.0.0.1',
  'http://10.0.0.1',
  'http://0.0.0.0',
  'http://[::]/',
  'http://[::2]/',
  'http://[::ffff:10.0.0.1]/',
  'http://mylocalhost',
  'http://localhost.',
  'http://user@localhost',
  'http://user:password@127.0.0.1',
];

const NO_WEB_ADDRESS = [
  '',
  'localhost',
  '//localhost',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://localhost',
  'data:text/html,x',
];

const { allowHttp: inProduction } = requiredOidc({ OIDC_ALLOW_HTTP: 'true', NODE_ENV: 'production' });

function requiredOidc(environment: Readonly<Record<string, string>>) {
  const { oidc } = readSettings({
    OIDC_ISSUER: 'https://provider.example',
    OIDC_CLIENT_ID: 'client',
    NEXT_PUBLIC_APP_URL: 'https://secrets.example',
    ...environment,
  }).auth;
  if (oidc === undefined) throw new Error('sign-in is configured');
  return oidc;
}

describe('an address of the provider', () => {
  test.each(['https://provider.example', 'https://localhost', 'https://10.0.0.1:8443/a?b'])(
    'may always be https: %s',
    (address) => {
      expect(isSecureAddress(address, false)).toBe(true);
    },
  );

  test.each(LOOPBACK)('may be http on a loopback host with OIDC_ALLOW_HTTP: %s', (address) => {
    expect(isSecureAddress(address, true)).toBe(true);
  });

  test.each(LOOPBACK)('may not be http without OIDC_ALLOW_HTTP, nor in production: %s', (address) => {
    expect(isSecureAddress(address, false)).toBe(false);
    expect(isSecureAddress(address, inProduction)).toBe(false);
  });

  test.each([...ELSEWHERE, ...NO_WEB_ADDRESS, 'https://user:password@provider.example'])(
    'is refused whatever is allowed: %s',
    (address) => {
      expect(isSecureAddress(address, true)).toBe(false);
    },
  );
});
