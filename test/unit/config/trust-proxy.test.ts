import express from 'express';
import { describe, expect, it } from 'vitest';
import { parseTrustProxy } from '../../../src/config/forms.ts';
import { trustProxyProblem } from '../../../src/config/oddities.ts';

describe('the trust-proxy setting', () => {
  it.each<[text: string, value: boolean | number | string[]]>([
    ['true', true],
    ['false', false],
    ['0', 0],
    ['1', 1],
    ['12', 12],
    ['loopback', ['loopback']],
    ['loopback, linklocal,uniquelocal', ['loopback', 'linklocal', 'uniquelocal']],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['192.0.2.1', ['192.0.2.1']],
    ['192.0.2.1/32, 2001:db8::/32, ::1/128', ['192.0.2.1/32', '2001:db8::/32', '::1/128']],
    ['::ffff:192.0.2.1', ['::ffff:192.0.2.1']],
  ])('%s is taken, by Express, too', (text, value) => {
    const parsed = parseTrustProxy(text);
    expect(parsed).toEqual(value);
    expect(() => express().set('trust proxy', parsed)).not.toThrow();
  });

  it.each([
    '',
    ' ',
    ',',
    'loopback,',
    'TRUE',
    'yes',
    '-1',
    '100',
    '999',
    '1.5',
    'dead',
    'cafe:',
    '1.2.3',
    '1.2.3.4.5',
    '256.0.0.1',
    '010.0.0.1',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/',
    '2001:db8::/129',
    'fe80::1%eth0',
    'proxy.example.com',
    'loopback/8',
    'constructor',
  ])('%j is not', (text) => {
    expect(parseTrustProxy(text)).toBeUndefined();
  });
});

describe('what looks wrong about it', () => {
  it.each([true, ['uniquelocal'], ['loopback', 'uniquelocal']])('%j believes too many', (trusted) => {
    expect(trustProxyProblem(trusted)).toMatch(/name the range of the proxy$/);
  });

  it.each([undefined, false, 0, 1, ['loopback'], ['10.244.0.0/16']])('%j is fine', (trusted) => {
    expect(trustProxyProblem(trusted)).toBeUndefined();
  });
});
