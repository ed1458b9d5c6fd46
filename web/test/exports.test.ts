import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseDotenv } from '../src/values/dotenv.ts';
import { exportSecret, printCommand, variableOf, type ExportFormat } from '../src/values/exports.ts';

const AWKWARD = new Map([
  ['__proto__', 'own'],
  ['null', 'null'],
  ['1e3', '007'],
  ['.dockerconfigjson', '{"a": "b\\n"}'],
  ['EMPTY', ''],
  ['blanks', '  a  '],
  ['lines', 'one\ntwo\n'],
  ['crlf', 'one\r\ntwo\r\n'],
  ['quotes', `it's "quoted" \`so\``],
  ['shell', '$(rm -rf /) $HOME ${X} \\n !! #x'],
  ['heredoc', 'EOF\nEOF'],
  ['unicode', 'é 😀 \u2028 \ufeff \ufffd'],
  ['hash', 'a #b'],
  ['backslash', 'C:\\new\\'],
]);
const BYTES = Uint8Array.of(0, 255, 254, 10, 39);
const secret = {
  namespace: '123',
  name: '1e3',
  type: 'example.com/"odd": type é 😀',
  immutable: true,
  text: AWKWARD,
  binary: new Map([['store.bin', Buffer.from(BYTES).toString('base64')]]),
};
const textOf = (format: ExportFormat, of = secret) => exportSecret(of, format).text;

interface Manifest {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

function expectWhole(manifest: Manifest): void {
  expect([manifest.metadata, manifest.type]).toEqual([{ name: '1e3', namespace: '123' }, secret.type]);
  const read = Object.entries(manifest.data).map(
    ([key, base64]) => [key, Buffer.from(base64, 'base64')] as const,
  );
  const expected = [
    ...[...AWKWARD].map(([key, value]) => [key, Buffer.from(value)] as const),
    ['store.bin', Buffer.from(BYTES)] as const,
  ];
  expect(read).toEqual(expected);
}

test('a manifest has every byte of every key, and names that look like numbers stay texts', () => {
  expectWhole(parse(textOf('yaml')) as Manifest);
  expect(textOf('yaml')).toMatch(/^[\n -~]*$/);
});

test('the command gives kubectl the same manifest, in a shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  writeFileSync(join(folder, 'kubectl'), '#!/bin/sh\necho "# $*"\ncat\n');
  chmodSync(join(folder, 'kubectl'), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` };
  const output = execFileSync('sh', ['-c', textOf('kubectl')], { env, encoding: 'utf8' });
  expect(output.split('\n', 1)).toEqual(['# apply -f -']);
  expectWhole(parse(output) as Manifest);
});

test('JSON has text as it is, and bytes as an object', () => {
  const read = JSON.parse(textOf('json')) as Record<string, unknown>;
  expect(Object.entries(read).sort()).toEqual(
    [...AWKWARD, ['store.bin', { base64: Buffer.from(BYTES).toString('base64') }] as const].sort(),
  );
});

test('an .env text leaves binary values out, says so, and is read back exactly', () => {
  const { text, leftOut } = exportSecret(secret, 'env');
  expect(leftOut).toEqual(['store.bin']);
  const { entries, unreadLines } = parseDotenv(text);
  expect(unreadLines).toEqual([]);
  expect(entries.map(({ key, value }) => [key, value])).toEqual([...AWKWARD]);
});

test('any values survive an .env text', () => {
  const key = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
  const value = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(fc.dictionary(key, value), (values) => {
      const text = new Map(Object.entries(values));
      const { entries } = parseDotenv(textOf('env', { ...secret, text }));
      expect(new Map(entries.map((entry) => [entry.key, entry.value]))).toEqual(text);
    }),
    { numRuns: 60 },
  );
});

test('other readers understand an .env text of usual values, too', () => {
  const text = new Map([
    ['PLAIN', 'a.b/c:d@e%f+g,h=i-j'],
    ['SPACES', ' a b '],
    ['DOLLAR', 'pa$$word ${X}'],
    ['LINES', '-----BEGIN-----\nabc\n-----END-----\n'],
    ['JSON', '{"a": [1, "b"]}'],
  ]);
  const dotenv = textOf('env', { ...secret, text });
  expect(parseEnv(dotenv)).toEqual(Object.fromEntries(text));
  const shell = execFileSync('sh', ['-c', `${dotenv}\nprintf '%s|' "$SPACES" "$DOLLAR" "$LINES"`], {
    encoding: 'utf8',
  });
  expect(shell).toBe(`${[...text.values()].slice(1, 4).join('|')}|`);
});

test('references name each key once, under variables that a container accepts', () => {
  const text = new Map([
    ['tls.crt', ''],
    ['tls-crt', ''],
    ['1st', ''],
  ]);
  const { env } = parse(textOf('secretKeyRef', { ...secret, text, binary: new Map() })) as {
    env: readonly { name: string; valueFrom: { secretKeyRef: object } }[];
  };
  expect(env.map(({ name }) => name)).toEqual(['TLS_CRT', 'TLS_CRT_2', '_1ST']);
  expect(env[0]?.valueFrom.secretKeyRef).toEqual({ name: '1e3', key: 'tls.crt' });
  expect(variableOf('__proto__')).toBe('__PROTO__');
});

test('an empty Secret is exported, too', () => {
  const empty = { ...secret, text: new Map<string, string>(), binary: new Map<string, string>() };
  expect(parse(textOf('yaml', empty))).toMatchObject({ data: {} });
  expect(parse(textOf('secretKeyRef', empty))).toEqual({ env: [] });
  expect([textOf('json', empty), textOf('env', empty)]).toEqual(['{}\n', '']);
});

test('the command that prints a value passes its template as one argument', () => {
  const command = printCommand({ namespace: 'team-a', name: 'db' }, '.dockerconfigjson');
  const parts = execFileSync('sh', ['-c', `kubectl() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: 'utf8',
  });
  expect(parts).toContain('go-template={{index .data ".dockerconfigjson" | base64decode}}\n');
});
