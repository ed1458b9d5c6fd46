import { describe, expect, it } from 'vitest';
import { hasReached, isLater, parseRevision } from '../../../src/kube/resource-version.ts';

describe('a revision', () => {
  it.each(['', '-1', '1.0', 'a', '1e3', ' 1', '9'.repeat(41)])('%j has no order', (text) => {
    expect(parseRevision(text)).toBeUndefined();
  });

  it('of digits has one', () => {
    expect(parseRevision('0')).toBe(0n);
    expect(parseRevision('18446744073709551616')).toBe(18446744073709551616n);
  });
});

describe('a revision is certainly later', () => {
  it.each([
    ['101', '100', true],
    ['1000', '999', true],
    ['100', '100', false],
    ['99', '100', false],
    ['opaque', '100', false],
    ['101', 'opaque', false],
    ['', '100', false],
  ])('%s than %s: %s', (source, known, expected) => {
    expect(isLater(parseRevision(source), parseRevision(known))).toBe(expected);
  });
});

describe('a revision has certainly reached another', () => {
  it.each([
    ['100', '100', true],
    ['1000', '999', true],
    ['99', '100', false],
    ['opaque', 'opaque', false],
    [undefined, '100', false],
  ])('%s from %s: %s', (revision, wanted, expected) => {
    expect(hasReached(parseRevision(revision), parseRevision(wanted))).toBe(expected);
  });
});
