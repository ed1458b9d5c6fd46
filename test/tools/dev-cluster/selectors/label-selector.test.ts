import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../hack/dev-cluster/api/status.ts';
import { type JsonObject } from '../../../../hack/dev-cluster/json/json.ts';
import { parseLabelSelector } from '../../../../hack/dev-cluster/selectors/label-selector.ts';
import { quietMsOf } from '../../../harness/machine-slowness.ts';

describe('a label selector', () => {
  it.each<readonly [string, JsonObject, boolean]>([
    ['', {}, true],
    ['a=1', { a: '1' }, true],
    ['a == 1', { a: '1' }, true],
    ['a=1', {}, false],
    ['a=', { a: '' }, true],
    ['a!=1', {}, true],
    ['a!=1', { a: '1' }, false],
    ['a', { a: '' }, true],
    ['!a', {}, true],
    ['!a', { a: '1' }, false],
    ['a in (1,2)', { a: '2' }, true],
    ['a in (1, 2),b notin (x)', { a: '1' }, true],
    ['a in (1, 2),b notin (x)', { a: '1', b: 'x' }, false],
    ['a notin (1)', {}, true],
    ['service.io/kind!=history', { 'service.io/kind': 'history' }, false],
    ['constructor', {}, false],
    ['!toString', {}, true],
    ['n>3', { n: '4' }, true],
    ['n<3', { n: '4' }, false],
  ])('%j on %j: %s', (text, labels, expected) => {
    expect(parseLabelSelector(text)(labels)).toBe(expected);
  });

  it.each(['!!', 'a b', '=1', 'a=b c', 'a in', 'a in (1', 'a=1,,b=2', 'a/b/c', `a=${'x'.repeat(64)}`])(
    '%j does not parse: 400',
    (text) => {
      expect(() => parseLabelSelector(text)).toThrow(ApiError);
    },
  );

  it.each([
    ['commas', ','.repeat(200_000)],
    ['commas before a parenthesis', `${','.repeat(200_000)})`],
    ['open parentheses', '('.repeat(200_000)],
  ])('200,000 %s are refused at once', (_what, text) => {
    const parse = () => parseLabelSelector(text);
    expect(parse).toThrow(ApiError);
    const refuse = () => {
      expect(parse).toThrow();
    };
    expect(quietMsOf(refuse)).toBeLessThan(200);
  });
});
