import { expect, test } from 'vitest';
import type { SecretDetail, SplitValues } from '../src/api/secrets-api.ts';
import { missingIn, whyNotTo } from '../src/features/compare/missing.ts';
import { compareStates } from '../src/features/history/states.ts';
import { base64Of } from '../src/values/bytes.ts';
import { valuesToSend } from '../src/values/value.ts';
import { summaryOf } from './summaries.ts';

const values = (text: object, binary: object = {}): SplitValues => ({
  text: new Map(Object.entries(text) as [string, string][]),
  binary: new Map(Object.entries(binary) as [string, string][]),
});
const secret = (more: Partial<SecretDetail> = {}): SecretDetail => ({
  ...summaryOf('a'),
  ...values({}),
  warnings: [],
  ...more,
});

test('each key of two Secrets is equal, different, or on one side only', () => {
  const kinds = (left: SplitValues, right: SplitValues) =>
    Object.fromEntries(compareStates(left, right).map(({ key, kind }) => [key, kind]));
  const left = values({ equal: 'x', different: 'x', here: '', line: 'a\n' }, { bytes: '/w==' });
  const right = values({ equal: 'x', different: 'X', there: 'x', line: 'a\r\n' }, { bytes: '/w==' });
  expect(kinds(left, right)).toEqual({
    bytes: 'same',
    different: 'changed',
    equal: 'same',
    here: 'removed',
    line: 'changed',
    there: 'added',
  });
  // The base64 of bytes is not the text of the same letters.
  expect(kinds(values({ k: '/w==' }), values({}, { k: '/w==' }))).toEqual({ k: 'changed' });
});

test('what is copied are the keys that the other lacks, whatever they hold', async () => {
  const source = values(JSON.parse('{"__proto__":"own","both":"x","empty":"","text":"a\\r\\n"}') as object, {
    'store.bin': '/wD+',
    also: '/w==',
  });
  const target = values({ both: 'y', also: 'text' }, { 'only.bin': '/w==' });
  const missing = missingIn(target, source);
  expect([...missing.keys()].sort()).toEqual(['__proto__', 'empty', 'store.bin', 'text']);
  const { texts, setBinary } = await valuesToSend(missing);
  expect(Object.entries(texts)).toEqual([
    ['__proto__', 'own'],
    ['empty', ''],
    ['text', 'a\r\n'],
  ]);
  expect(setBinary).toEqual({ 'store.bin': '/wD+' });
  expect([...missingIn(source, target).keys()]).toEqual(['only.bin']);
  expect(missingIn(source, source).size).toBe(0);
});

test('bytes are copied as they are, each of them', async () => {
  const every = base64Of(Uint8Array.from({ length: 256 }, (_none, index) => index));
  const { setBinary } = await valuesToSend(missingIn(values({}), values({}, { every })));
  expect(setBinary).toEqual({ every });
});

test('keys are copied only to a Secret that one can write, and that can be written', () => {
  expect(whyNotTo(secret(), 'write')).toBeUndefined();
  expect(whyNotTo(secret(), 'manage')).toBeUndefined();
  expect(whyNotTo(secret(), 'read')).toBe('You need write access to team-a/a.');
  expect(whyNotTo(secret(), undefined)).toBe('Your access is not known yet.');
  expect(whyNotTo(secret({ immutable: true }), 'manage')).toBe('team-a/a is immutable.');
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(whyNotTo(secret({ deletionTimestamp }), 'manage')).toBe('team-a/a is being deleted.');
  const type = 'kubernetes.io/service-account-token';
  expect(whyNotTo(secret({ type }), 'manage')).toBe('The cluster manages this token.');
});
