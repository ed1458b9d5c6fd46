import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDotenv } from '../src/values/dotenv.ts';

const entriesOf = (text: string) => parseDotenv(text).entries.map(({ key, value }) => [key, value]);

test.each([
  ['plain values are trimmed', 'A= b c ', [['A', 'b c']]],
  ['export is passed over', 'export A=b', [['A', 'b']]],
  ['a comment ends an unquoted value', 'A=b # c', [['A', 'b']]],
  ['a comment in place of a value leaves it empty', 'A= # nothing', [['A', '']]],
  ['a hash within a word is part of it', 'A=b#c', [['A', 'b#c']]],
  ['a hash right behind the equals sign is part of the value', 'A=#fff # white', [['A', '#fff']]],
  ['single quotes keep everything', String.raw`A='b\n # c'`, [['A', String.raw`b\n # c`]]],
  ['backticks keep everything', 'A=`it\'s "\\n"`', [['A', 'it\'s "\\n"']]],
  ['double quotes have escapes', String.raw`A="b\n\"c\" \\ \$d\t\r"`, [['A', 'b\n"c" \\ $d\t\r']]],
  ['other backslashes stay', String.raw`A="^\d+\.\d+$"`, [['A', String.raw`^\d+\.\d+$`]]],
  ['paths of Windows stay', String.raw`A="C:\path"`, [['A', String.raw`C:\path`]]],
  ['a comment may follow a quoted value', 'A="b" # c', [['A', 'b']]],
  ['a BOM is skipped', '\uFEFFA=b', [['A', 'b']]],
  [
    'quoted values span lines',
    'A="b\nc"\nD=e',
    [
      ['A', 'b\nc'],
      ['D', 'e'],
    ],
  ],
  [
    'line ends of Windows within quotes stay as they are',
    'A="b\r\nc"\r\nD=e\r\n',
    [
      ['A', 'b\r\nc'],
      ['D', 'e'],
    ],
  ],
  [
    'an empty value is a value',
    'A=\nB=""\n\n# end',
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
    'A=1\r\nB= # 2\r\n',
    [
      ['A', '1'],
      ['B', ''],
    ],
  ],
])('%s', (_clause, text, expected) => {
  expect(entriesOf(text)).toEqual(expected);
  expect(parseDotenv(text).unreadLines).toEqual([]);
});

test('lines that cannot be read are named by number and change nothing else', () => {
  expect(parseDotenv('A=1\nwhat\n"B=2\nC="open\nD=4\n')).toEqual({
    entries: [
      { key: 'A', value: '1' },
      { key: 'D', value: '4' },
    ],
    unreadLines: [2, 3, 4],
  });
});

test.each([
  [String.raw`A='it'\''s'`],
  ['A="x"y'],
  ['A="x"#y'],
  ['A="1" B="2"'],
  ['A=`x'],
  [String.raw`A="C:\path\"`],
])('%s is not understood, and the lines behind it are', (text) => {
  expect(parseDotenv(`${text}\nB="b"\n`)).toEqual({
    entries: [{ key: 'B', value: 'b' }],
    unreadLines: [1],
  });
});

test('numbers of lines count those within quoted values', () => {
  expect(parseDotenv('A="1\n2\n3"\nwhat\n').unreadLines).toEqual([4]);
});

/** As a careful program writes a value. */
const double = (value: string) => {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '\\$');
  return `"${escaped}"`;
};
const onOneLine = (value: string) =>
  double(value).replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
const plain = (quote: string) => (value: string) =>
  value.includes(quote) ? double(value) : `${quote}${value}${quote}`;

const someValue = fc.string({
  unit: fc.constantFrom('a', 'n', '1', ' ', '#', '=', '"', "'", '`', '\\', '$', '\n', '\r', '\t', 'ä', '😀'),
});
const written = fc.constantFrom(double, onOneLine, plain("'"), plain('`'));
const lineEnd = fc.constantFrom('\n', '\r\n', ' # why\n');

test('whatever is written with proper quoting comes back', () => {
  const line = fc.record({ value: someValue, write: written, end: lineEnd });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.map(({ value, write, end }, index) => `K${index}=${write(value)}${end}`).join('');
      expect(entriesOf(text)).toEqual(lines.map(({ value }, index) => [`K${index}`, value]));
      expect(parseDotenv(text).unreadLines).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['a quote that never ends', `A="${'x'.repeat(12_000_000)}`],
  ['blanks without end', `A=${' '.repeat(1_000_000)}b${' '.repeat(1_000_000)}`],
  ['many quotes that never end', 'A="\nB=\'\nC=`\n'.repeat(100_000)],
])('%s takes no longer than its length', (_what, text) => {
  const start = performance.now();
  parseDotenv(text);
  expect(performance.now() - start).toBeLessThan(5_000);
});
