import { describe, expect, it } from 'vitest';
import { snapshotName } from '../../../src/history/snapshot/snapshot.ts';
import {
  isNamespaceName,
  isSecretName,
  NAME_RULE,
  newNameViolation,
  SNAPSHOT_NAME_RULE,
} from '../../../src/contract/names.ts';

const NEVER = [
  '',
  '.',
  '..',
  '-',
  'A',
  'a_b',
  'a/b',
  'a\\b',
  'a b',
  ' a',
  'a ',
  'a\n',
  '\na',
  'a\0',
  'é',
  'ａ',
  'а',
  'ı',
  'a%2fb',
  '-a',
  'a-',
  '.a',
  'a.',
  '__proto__',
];

describe('the name of a Secret', () => {
  it.each(['a', '0', 'a.b', 'a-b', 'a--b', '0.0', 'constructor', 'a'.repeat(253), 'xn--nxasmq6b'])(
    '%s is one',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );

  it.each([...NEVER, 'a..b', 'a.-b', 'a-.b', 'a'.repeat(254)])('%j is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('may have parts longer than a label, as the cluster allows', () => {
    expect(isSecretName(`${'a'.repeat(100)}.b`)).toBe(true);
  });

  it('is judged within the time of a test, however hostile', () => {
    const hostile = `${'a-'.repeat(200_000)}!`;
    expect(isSecretName(hostile)).toBe(false);
    expect(isNamespaceName(hostile)).toBe(false);
  });
});

describe('the name of a Secret to be created', () => {
  const uid = 'f7c3a1b2-0000-4000-8000-000000000001';
  it.each([
    'a.v1.0123456789abcdef',
    'a.b.v0.aaaaaaaaaaaaaaaa',
    'a.v01.0123456789abcdef',
    `a.v${'9'.repeat(200)}.0123456789abcdef`,
    snapshotName('db', 7, uid),
    snapshotName('x'.repeat(253), Number.MAX_SAFE_INTEGER, uid),
  ])('is not %s', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(newNameViolation(name)).toBe(SNAPSHOT_NAME_RULE);
  });

  it.each([
    'a',
    'v1.0123456789abcdef',
    'a.v1.0123456789abcde',
    'a.v1.0123456789abcdef0',
    'a.v1.0123456789abcdeg',
    'a.v.0123456789abcdef',
    'a.v1-2.0123456789abcdef',
    'a.v1.0123456789abcdef.b',
  ])('may be %s', (name) => {
    expect(newNameViolation(name)).toBeUndefined();
  });

  it('is a DNS subdomain first', () => {
    expect(newNameViolation('A.v1.0123456789abcdef')).toBe(NAME_RULE);
  });

  it('is judged within the time of a test, however hostile', () => {
    expect(newNameViolation(`${'.v1'.repeat(200_000)}.v${'1'.repeat(500_000)}`)).toBe(NAME_RULE);
  });
});

describe('the name of a namespace', () => {
  it.each(['a', '0', 'a-b', 'team-a', 'kube-system', 'a'.repeat(63)])('%s is one', (name) => {
    expect(isNamespaceName(name)).toBe(true);
  });

  it.each([...NEVER, 'a.b', 'a'.repeat(64)])('%j is none', (name) => {
    expect(isNamespaceName(name)).toBe(false);
  });
});
