import { describe, expect, it } from 'vitest';
import { isNamespaceName, isSecretName } from '../../../src/secrets/names.ts';

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

describe('the name of a namespace', () => {
  it.each(['a', '0', 'a-b', 'team-a', 'kube-system', 'a'.repeat(63)])('%s is one', (name) => {
    expect(isNamespaceName(name)).toBe(true);
  });

  it.each([...NEVER, 'a.b', 'a'.repeat(64)])('%j is none', (name) => {
    expect(isNamespaceName(name)).toBe(false);
  });
});
