import { expect, it } from 'vitest';
import { withoutTrailingSlashes } from '../../../src/config/addresses.ts';
import { quietMsOf } from '../../harness/machine-slowness.ts';

it.each([
  ['https://a.example', 'https://a.example'],
  ['https://a.example/', 'https://a.example'],
  ['/base///', '/base'],
  ['/a//b/', '/a//b'],
  ['/', ''],
  ['', ''],
])('%j is %j without slashes at its end', (url, expected) => {
  expect(withoutTrailingSlashes(url)).toBe(expected);
});

it('a mebibyte of slashes with something behind is looked through at once', () => {
  const url = `${'/'.repeat(2 ** 20)}x`;
  expect(withoutTrailingSlashes(url)).toBe(url);
  expect(quietMsOf(() => void withoutTrailingSlashes(url))).toBeLessThan(100);
});
