import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { whyNotLinear } from '../../../hack/linear-regex/why-not-linear.ts';
import { findWords, withoutQuotes } from '../../../hack/vocabulary/find-words.ts';
import { RULES, USUAL } from '../../../hack/vocabulary/table.ts';

const wordsIn = (text: string) => findWords(text).map(({ word }) => word);

describe('a word of the table is found', () => {
  it.each([
    ['in a comment', '// The store tells the cache.', ['tells']],
    ['in upper case', 'NOBODY READS THIS', ['NOBODY']],
    ['in an identifier', 'const askTwice = 1;', ['ask']],
    ['in an identifier of another case', 'const asked_twice = MAX_MARKS;', ['MARKS', 'asked']],
    ['as a type', 'function run(parts: readonly string[], last: Part): void', [': Part']],
    ['twice in a line', 'somebody told', ['somebody', 'told']],
    ['at the end of a line', 'it stays for good', ['for good']],
  ])('%s', (_where, text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('with the number of its line', () => {
    expect(findWords('fine\nfine\nanew\n')).toEqual([{ line: 3, word: 'anew', instead: 'again' }]);
  });

  it.each([
    ['a comment', '  // The object is not there any\n  // more.'],
    ['a block comment', '/**\n * The object is not there any\n * more.\n */'],
    ['a paragraph', 'The object is not there any\nmore.'],
  ])('once when it goes on in the next line of %s', (_what, text) => {
    expect(wordsIn(text)).toEqual(['any more']);
  });
});

describe('what only looks like a word of the table is not found', () => {
  it.each([
    'the background of a bookmark',
    'a bearer token with a timestamp',
    'const task = mask(basket);',
    'Part of the list. Parts are fine. (Part of it.)',
    'so many more',
    'a byte order mark, a Question Mark and two exclamation marks',
    'gate.markUncertain(key)',
    'If it happens again, ask an administrator.',
  ])('%s', (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  it('but only the phrase has the usual meaning, not the rest of its line', () => {
    expect(wordsIn('a byte order mark is a mark')).toEqual(['mark']);
  });
});

it('an upgrade note quotes an old name in backticks, and only there', () => {
  expect(wordsIn(withoutQuotes('`failed for good` is now `failed permanently`'))).toEqual([]);
  expect(wordsIn(withoutQuotes('it failed for good: `reason`'))).toEqual(['for good']);
});

it.each(RULES)('$pattern takes time linear in the text, and finds all of a line', ({ pattern }) => {
  expect(whyNotLinear(pattern.source, pattern.flags)).toBeUndefined();
  expect(pattern.flags).toMatch(/^gi?$/);
});

it.each(USUAL)('without the exception "$phrase" a word would be found', ({ phrase, why }) => {
  const inWords = phrase.replace(/([a-z])([A-Z])/g, '$1 $2');
  expect(RULES.some(({ pattern }) => inWords.match(pattern) !== null)).toBe(true);
  expect(why).not.toBe('');
});

it('the command names file, line and word, and fails', () => {
  const command = new URL('../../../hack/vocabulary.ts', import.meta.url).pathname;
  const folder = mkdtempSync(join(tmpdir(), 'vocabulary-'));
  const run = (...trees: readonly string[]) =>
    execFileSync(process.execPath, [command, ...trees], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, 'planted.md'), 'Fine.\nNobody is told.\n');
    expect(() => run('.')).toThrow(
      'planted.md:2: "Nobody"; write: no one\nvocabulary: planted.md:2: "told"; write: ',
    );
    writeFileSync(join(folder, 'planted.md'), 'Fine.\n');
    writeFileSync(join(folder, 'the-census.ts'), '');
    expect(() => run('.')).toThrow('the-census.ts:0: "census"; write: snapshot statistics');
    expect(run('planted.md')).toContain('1 files, none with a word of');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
