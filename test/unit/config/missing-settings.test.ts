import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/config/settings.ts';
import { problemsOf } from './settings-fixture.ts';

const WAITING = { NODE_ENV: 'production', SERVICE_WAIT_FOR_SETTINGS: 'true' };
const GIVEN = {
  NEXT_PUBLIC_APP_URL: 'https://secrets.example.com',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'client',
  SESSION_SECRET: 'a-key-for-tests-only-0123456789-abcdefghij',
};

describe('with SERVICE_WAIT_FOR_SETTINGS', () => {
  it('every absent setting that sign-in needs is missing, in production', () => {
    expect(readSettings(WAITING).missing).toEqual(Object.keys(GIVEN));
  });

  it.each(Object.keys(GIVEN))('%s alone is missing, whether unset or empty', (name) => {
    const { [name]: _omitted, ...others } = { ...WAITING, ...GIVEN } as Record<string, string>;
    expect(readSettings(others).missing).toEqual([name]);
    expect(readSettings({ ...others, [name]: '' }).missing).toEqual([name]);
  });

  it('nothing is missing once they are set, nor without sign-in', () => {
    expect(readSettings({ ...WAITING, ...GIVEN }).missing).toEqual([]);
    expect(readSettings({ SERVICE_WAIT_FOR_SETTINGS: 'true', AUTH_DISABLED: 'true' }).missing).toEqual([]);
  });

  it('the public address has its default outside production', () => {
    const { NEXT_PUBLIC_APP_URL: _omitted, ...others } = GIVEN;
    expect(readSettings({ ...others, SERVICE_WAIT_FOR_SETTINGS: 'true' }).missing).toEqual([]);
  });

  it('what is malformed stops the start-up all the same, and a key that is refused is not missing', () => {
    const malformed = { NEXT_PUBLIC_APP_URL: 'nowhere', OIDC_ISSUER: 'login.example.com' };
    const variables = problemsOf({ ...WAITING, ...malformed }).map(({ variable }) => variable);
    expect(variables).toEqual(['NEXT_PUBLIC_APP_URL', 'OIDC_ISSUER']);
    expect(problemsOf({ ...WAITING, AUTH_DISABLED: 'true' })).toHaveLength(1);
    expect(readSettings({ ...WAITING, ...GIVEN, SESSION_SECRET: 'short' }).missing).toEqual([]);
  });
});

it('without it nothing is missing, and production needs its public address', () => {
  expect(readSettings({}).missing).toEqual([]);
  expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
    { variable: 'NEXT_PUBLIC_APP_URL', rule: 'is required in production with auth enabled' },
  ]);
});
