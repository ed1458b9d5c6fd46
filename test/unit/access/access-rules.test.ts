import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RULE_ENTRIES, MAX_RULE_ENTRY_BYTES } from '../../../src/contract/access-entry.ts';
import { checkRuleList } from '../../../src/secrets/input.ts';
import { formatRuleList, parseRuleList } from '../../../src/kube/annotation-values.ts';
import { hasRules, keyedRules, levelIn } from '../../../src/contract/access-rules.ts';
import { emailKey } from '../../../src/contract/email.ts';
import { isServiceError } from '../../../src/errors/service-error.ts';
import { user } from './users.ts';

const check = (entries: readonly string[]) => checkRuleList('allowedGroups', entries);

function refusal(entries: readonly string[]): string {
  try {
    check(entries);
  } catch (error) {
    if (isServiceError(error, 'invalidRequest')) return error.message;
    throw error;
  }
  throw new Error('the entries were taken');
}

describe('rule lists as annotations store them', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['   ', []],
    [',', []],
    [' , ,\t,\n', []],
    ['a', ['a']],
    [' a , b ', ['a', 'b']],
    ['a,,b,', ['a', 'b']],
    ['b,a,b', ['b', 'a', 'b']],
    ['team a, Team A', ['team a', 'Team A']],
    ['\u00a0a\u00a0', ['a']],
    ['__proto__,constructor', ['__proto__', 'constructor']],
  ])('%j is read as %j', (annotation, entries) => {
    expect(parseRuleList(annotation)).toEqual(entries);
  });

  it('the empty list is stored as an empty annotation', () => {
    expect(formatRuleList([])).toBe('');
  });

  it('any checked list survives being stored and read', () => {
    const entry = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const good = entries.filter((text) => text.trim() !== '' && !/,|\p{Cc}/u.test(text));
        const checked = check(good.filter((text) => Buffer.byteLength(text) <= MAX_RULE_ENTRY_BYTES));
        expect(parseRuleList(formatRuleList(checked))).toEqual(checked);
      }),
    );
  });
});

describe('a user is named by rules', () => {
  const rules = (allowedGroups: string[], allowedUsers: string[]) => ({ allowedGroups, allowedUsers });

  it('groups match exactly', () => {
    expect(levelIn(user({ groups: ['team-a'] }), rules(['team-a'], []))).toBe('manage');
    expect(levelIn(user({ groups: ['Team-A'] }), rules(['team-a'], []))).toBe('none');
    expect(levelIn(user({ groups: ['team-a '] }), rules(['team-a'], []))).toBe('none');
    expect(levelIn(user({ groups: ['team'] }), rules(['team-a'], []))).toBe('none');
  });

  it('emails match ignoring case', () => {
    expect(levelIn(user({ email: 'DEV@Example.com' }), rules([], ['dev@EXAMPLE.com']))).toBe('manage');
    expect(levelIn(user({ email: 'dev@example.com.evil' }), rules([], ['dev@example.com']))).toBe('none');
  });

  it('a Turkish dotless i does not pass for an i', () => {
    expect(levelIn(user({ email: 'info@example.com', groups: [] }), rules([], ['ınfo@example.com']))).toBe(
      'none',
    );
    expect(levelIn(user({ email: 'info@example.com', groups: [] }), rules([], ['INFO@example.com']))).toBe(
      'manage',
    );
  });

  it('a group never matches as a user, nor an email as a group, nor a sub or a name', () => {
    const someone = user({ sub: 's', name: 'n', email: 'e@x', groups: ['g'] });
    expect(levelIn(someone, rules(['e@x', 's', 'n'], ['g', 's', 'n']))).toBe('none');
  });

  it('one match among many is enough', () => {
    expect(levelIn(user(), rules(['x', 'y', 'team-a'], ['no-one@example.com']))).toBe('manage');
    expect(levelIn(user({ groups: [] }), rules(['x'], ['a@x', 'dev@example.com']))).toBe('manage');
  });

  it('empty lists are no rules and name no one', () => {
    expect(hasRules(rules([], []))).toBe(false);
    expect(hasRules(rules(['a'], []))).toBe(true);
    expect(hasRules(rules([], ['a']))).toBe(true);
    expect(levelIn(user(), rules([], []))).toBe('none');
  });
});

describe('rule entries that a client sends', () => {
  it('256 entries are taken and 257 are not', () => {
    expect(check(Array<string>(MAX_RULE_ENTRIES).fill('a'))).toHaveLength(256);
    expect(refusal(Array<string>(MAX_RULE_ENTRIES + 1).fill('a'))).toBe(
      'allowedGroups must have at most 256 entries',
    );
  });

  it.each([
    ['ASCII', 'a'.repeat(256), 'a'.repeat(257)],
    ['two bytes each', 'é'.repeat(128), `${'é'.repeat(128)}a`],
    ['three bytes each', `${'€'.repeat(85)}a`, `${'€'.repeat(85)}ab`],
    ['four bytes each', '🔑'.repeat(64), `${'🔑'.repeat(64)}a`],
  ])('256 bytes of UTF-8 are taken and 257 are not: %s', (_what, good, bad) => {
    expect(Buffer.byteLength(good)).toBe(256);
    expect(check([good])).toEqual([good]);
    expect(Buffer.byteLength(bad)).toBe(257);
    expect(refusal([bad])).toContain('at most 256 bytes');
  });

  it('surrounding whitespace counts towards the 256 bytes', () => {
    expect(check([`${'a'.repeat(254)}  `])).toEqual(['a'.repeat(254)]);
    expect(refusal([`a${' '.repeat(256)}`])).toContain('at most 256 bytes');
    expect(refusal([`${'a'.repeat(255)}\u00a0`])).toContain('at most 256 bytes');
  });

  it('are trimmed outside and kept inside, with case, order and duplicates', () => {
    expect(check([' b ', 'A  a', '\tb\n', 'B'])).toEqual(['b', 'A  a', 'b', 'B']);
  });

  it.each([
    ['a comma', 'a,b', 'must not contain a comma'],
    ['only a comma', ',', 'must not contain a comma'],
    ['a trailing comma', 'a,', 'must not contain a comma'],
    ['nothing', '', 'must not be empty or blank'],
    ['spaces', '   ', 'must not be empty or blank'],
    ['tabs and newlines', '\t\r\n', 'must not be empty or blank'],
    ['a no-break space', '\u00a0', 'must not be empty or blank'],
    ['a lone surrogate', 'a\ud800', 'must be valid Unicode'],
    ['a line break inside', 'a\nb', 'must not contain control characters'],
    ['a tab inside', 'a\tb', 'must not contain control characters'],
    ['U+0000 at its end', 'a\0', 'must not contain control characters'],
  ])('an entry with %s is refused', (_what, entry, rule) => {
    expect(refusal(['fine', entry, 'fine too'])).toBe(`Each entry of allowedGroups ${rule}`);
  });

  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_one, index) => 0x7f + index)];
  it.each(controls.map((code) => [code.toString(16)]))('the control character U+%s is refused', (code) => {
    const control = String.fromCodePoint(Number.parseInt(code, 16));
    for (const entries of [[`a${control}b`], ['fine', `é${control}b`]]) {
      expect(refusal(entries)).toBe('Each entry of allowedGroups must not contain control characters');
    }
  });

  it('format characters and line separators are kept: they belong to names of the provider', () => {
    const kept = [
      'می\u200cخواهم',
      '👩\u200d🚀',
      'a\u202eb',
      'a\u2028b',
      'a\u2029b',
      'a\u00adb',
      'a\ufeffb',
      'a\u00a0b',
    ];
    expect(check(kept)).toEqual(kept);
  });

  it('a comma look-alike is an ordinary character', () => {
    expect(check(['a،b', 'a，b'])).toEqual(['a،b', 'a，b']);
  });

  it('are never echoed', () => {
    const planted = 'planted-4711';
    for (const entry of [`${planted},`, `${planted}${'x'.repeat(300)}`, `${planted}\ud800`]) {
      expect(refusal([entry])).not.toContain(planted);
    }
    expect(refusal(Array<string>(257).fill(planted))).not.toContain(planted);
  });

  it('the empty list is fine', () => {
    expect(check([])).toEqual([]);
  });
});

describe('rules with keys', () => {
  const letters = fc.string({
    unit: fc.constantFrom(
      'a',
      'A',
      'Σ',
      'ς',
      'σ',
      'İ',
      'ı',
      '\u212a',
      'K',
      'Ä',
      'ẞ',
      '🔒',
      '\ud800',
      '@',
      '.',
    ),
  });

  it('have the keys that each character alone would have', () => {
    fc.assert(
      fc.property(letters, (text) => {
        const one = (character: string) =>
          /[\u0130\u212a]/.test(character) ? character : character.toLowerCase();
        expect(emailKey(text)).toBe(Array.from(text, one).join(''));
      }),
    );
  });

  it('decide as the rules do', () => {
    fc.assert(
      fc.property(letters, fc.array(letters), fc.array(letters), (email, allowedUsers, allowedGroups) => {
        const someone = { email, groups: [email] };
        const given = { allowedGroups, allowedUsers };
        expect(levelIn(someone, keyedRules(given))).toBe(levelIn(someone, given));
      }),
    );
  });

  it('are made once: a decision about 130 Secrets with long users outside ASCII takes a millisecond', () => {
    const allowedUsers = Array.from({ length: 256 }, (_, index) => `${'ΣÄ'.repeat(60)}${index}@example.com`);
    const made = Array.from({ length: 130 }, () => keyedRules({ allowedGroups: [], allowedUsers }));
    const someone = { email: 'ada@example.com', groups: [] };
    const begun = process.cpuUsage();
    for (const one of made) expect(levelIn(someone, one)).toBe('none');
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(50);
  });
});
