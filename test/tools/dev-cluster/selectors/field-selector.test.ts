import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../hack/dev-cluster/api/status.ts';
import { SECRET } from '../../../../hack/dev-cluster/kinds/secret.ts';
import {
  nameInFieldSelector,
  parseFieldSelector,
} from '../../../../hack/dev-cluster/selectors/field-selector.ts';
import { stored } from '../objects.ts';

describe('a field selector', () => {
  it.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name==a,type=custom', true],
    ['metadata.name!=a', false],
    ['metadata.namespace=default', true],
    ['type!=custom', false],
  ])('%j on a Secret of type custom: %s', (text, expected) => {
    expect(parseFieldSelector(text, SECRET).matches(stored('a', { type: 'custom' }))).toBe(expected);
  });

  it.each(['data=x', 'metadata.labels=x', 'constructor=x', 'metadata.name'])('%j is refused', (text) => {
    expect(() => parseFieldSelector(text, SECRET)).toThrow(ApiError);
  });

  it.each([
    ['metadata.name=a', 'a'],
    ['type=x,metadata.name==b', 'b'],
    ['metadata.name!=a', undefined],
    ['', undefined],
  ])('%j pins the name %s down for rights by name', (text, name) => {
    expect(nameInFieldSelector(text)).toBe(name);
  });
});
