import { expect, test } from 'vitest';
import { parseDotenv } from '../src/values/dotenv.ts';

const entriesOf = (text: string) => parseDotenv(text).entries.map(({ key, value }) => [key, value]);

test.each([
  ['plain values are trimmed', 'A= b c ', [['A', 'b c']]],
  ['export is passed over', 'export A=b', [['A', 'b']]],
  ['a comment ends an unquoted value', 'A=b # c', [['A', 'b']]],
  ['a hash within a word is part of it', 'A=b#c', [['A', 'b#c']]],
  ['single quotes keep everything', String.raw`A='b\n # c'`, [['A', String.raw`b\n # c`]]],
  ['double quotes have escapes', String.raw`A="b\n\"c\" \\ \$d"`, [['A', 'b\n"c" \\ $d']]],
  [
    'quoted values span lines',
    'A="b\nc"\nD=e',
    [
      ['A', 'b\nc'],
      ['D', 'e'],
    ],
  ],
  [
    'an empty value is a value',
    'A=\nB=""',
    [
      ['A', ''],
      ['B', ''],
    ],
  ],
  [
    'the last assignment wins',
    'A=1\nB=2\nA=3',
    [
      ['B', '2'],
      ['A', '3'],
    ],
  ],
  ['nothing is substituted', 'A=$HOME ${B}', [['A', '$HOME ${B}']]],
  [
    'hostile keys are keys',
    '__proto__=x\nconstructor=y',
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ],
  ],
  [
    'line ends of Windows are line ends',
    'A=1\r\nB=2\r\n',
    [
      ['A', '1'],
      ['B', '2'],
    ],
  ],
])('%s', (_clause, text, expected) => {
  expect(entriesOf(text)).toEqual(expected);
  expect(parseDotenv(text).unreadLines).toEqual([]);
});

test('lines that cannot be read are named by number and change nothing else', () => {
  expect(parseDotenv('A=1\nwhat\n"B=2\nC="open\n')).toEqual({
    entries: [{ key: 'A', value: '1' }],
    unreadLines: [2, 3, 4],
  });
});
