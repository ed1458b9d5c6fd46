import { describe, expect, it } from 'vitest';
import {
  configKey,
  dnsLabel,
  dnsSubdomain,
  labelValue,
  pathSegment,
  qualifiedName,
} from '../../../../hack/dev-cluster/validation/names.ts';

describe.each([
  [
    'a DNS subdomain',
    dnsSubdomain,
    ['a', 'a.b-c.0', 'x'.repeat(253)],
    ['', 'A', 'a_b', '-a', 'a.', 'a..b', 'x'.repeat(254), 'é'],
  ],
  ['a DNS label', dnsLabel, ['a', 'a-0', 'x'.repeat(63)], ['', 'a.b', 'a-', 'x'.repeat(64)]],
  [
    'a key',
    configKey,
    ['.x', 'a..b', '__proto__', '-', 'x'.repeat(253)],
    ['', '.', '..', '...', '..x', 'a b', 'x'.repeat(254)],
  ],
  ['a label value', labelValue, ['', 'a', 'A_b.c-0', 'x'.repeat(63)], ['-a', 'a b', 'a-', 'x'.repeat(64)]],
  [
    'a qualified name',
    qualifiedName,
    ['a', 'x.io/a', 'A_b.c'],
    ['', '/a', 'x.io/', 'a/b/c', 'X/a', 'a b', `x.io/${'n'.repeat(64)}`],
  ],
  ['a path segment', pathSegment, ['a', 'system:x', 'A b'], ['.', '..', 'a/b', 'a%b']],
] as const)('%s', (_title, rule, right, wrong) => {
  it.each(right)('may be %j', (value) => {
    expect(rule(value)).toEqual([]);
  });
  it.each(wrong)('may not be %j', (value) => {
    expect(rule(value)).not.toEqual([]);
  });
});
