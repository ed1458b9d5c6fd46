import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyDescription, classifyErrorCode } from '../../../../src/auth/login/translate-failure.ts';
import { IDP_ERRORS, PROVIDER_ERROR_CODES } from '../../../../src/contract/login-errors.ts';

describe('idp_error', () => {
  test.each(PROVIDER_ERROR_CODES)('keeps the known code %s', (code) => {
    expect(classifyErrorCode(code)).toBe(code);
    expect(code.length).toBeLessThanOrEqual(64);
  });

  test.each([
    undefined,
    null,
    7,
    ['access_denied'],
    { toString: () => 'access_denied' },
    '',
    'ACCESS_DENIED',
    ' access_denied',
    'access_denied ',
    'access_denied\n',
    'access_denied\u0000',
    'access-denied',
    'unknown_code',
    'constructor',
    '__proto__',
    'session_too_large',
    'email_invalid',
    'email_unverified',
    '<script>alert(1)</script>',
    `access_denied${'x'.repeat(100)}`,
    'x'.repeat(10_240),
  ])('turns %j into provider_error', (code) => {
    expect(classifyErrorCode(code)).toBe('provider_error');
  });

  test('is one of a closed list, whatever the provider sends', () => {
    fc.assert(
      fc.property(fc.anything(), (code) => {
        expect(IDP_ERRORS).toContain(classifyErrorCode(code));
      }),
    );
  });
});

describe('descriptionCode', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    [7, undefined],
    ['User denied', 'provided'],
    ['redirect_uri does not match', 'redirect_uri'],
    ['Invalid parameter: redirect_uri', 'redirect_uri'],
    ['The Redirect URI is not registered', 'redirect_uri'],
    ['AADSTS50011: the redirect URL https://x does not match', 'redirect_uri'],
    ['x'.repeat(2_048), 'provided'],
    ['x'.repeat(2_049), 'omitted'],
    [`redirect_uri ${'x'.repeat(2_048)}`, 'omitted'],
    ['é'.repeat(1_025), 'omitted'],
  ])('of %j is %s', (description, expected) => {
    expect(classifyDescription(description)).toBe(expected);
  });
});
