import { describe, expect, it } from 'vitest';
import { emailKey, isIdentity } from '../../../src/contract/email.ts';

describe('an email can be an identity', () => {
  it.each([
    ['plain', 'dev@example.com'],
    ['in capitals', 'DEV@EXAMPLE.COM'],
    ['with letters outside ASCII', 'jürgen@müller.example'],
    ['in another script', 'ユーザー@例え.jp'],
    ['with a space inside, which everyone sees', '"de v"@example.com'],
  ])('%s', (_what, email) => {
    expect(isIdentity(email)).toBe(true);
  });
});

describe('an email cannot be an identity', () => {
  it.each([
    ['empty', ''],
    ['with whitespace around it', ' dev@example.com'],
    ['with a line break', 'dev@example.com\n'],
    ['with a control character', 'de\u0000v@example.com'],
    ['with a format character', 'de\u200dv@example.com'],
    ['with a soft hyphen', 'de\u00adv@example.com'],
    ['with a direction override', 'dev@example.com\u202emoc'],
    ['with a line separator', 'dev\u2028@example.com'],
    ['with a paragraph separator', 'dev\u2029@example.com'],
    ['with half a surrogate pair', 'dev\ud800@example.com'],
    ['with a Kelvin sign, which lowercases to k', '\u212aate@example.com'],
    ['like a machine', 'machine:team-a/deploy'],
    ['like a machine, in capitals', 'MACHINE:team-a/deploy'],
    ['with a dotted capital I, which lowercases to i and more', 'D\u0130@example.com'],
  ])('%s', (_what, email) => {
    expect(isIdentity(email)).toBe(false);
  });
});

describe('the form in which emails are compared', () => {
  it('is lowercased, and keeps what is outside ASCII outside', () => {
    expect(emailKey('Dev@Example.COM')).toBe('dev@example.com');
    expect(emailKey('JÜRGEN@example.com')).toBe('jürgen@example.com');
    expect(emailKey('\u212aate@example.com')).not.toBe(emailKey('kate@example.com'));
    expect(emailKey('A\u212aÉ\u0130\u0130Σ@EXAMPLE.com')).toBe('a\u212aé\u0130\u0130σ@example.com');
  });
});
