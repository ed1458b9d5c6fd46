import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from '../../../../src/observability/tracing/tracing.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

describe('a traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    [`cc-${traceId}-${spanId}-01-of-a-later-version`, true],
  ])('is %s', (header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId, spanId, sampled });
  });

  it.each([
    '',
    '00',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-1`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(1_000)}`,
  ])('is not %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('is written in the form in which it is read', () => {
    for (const sampled of [true, false]) {
      const parent = { traceId, spanId, sampled };
      expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent);
    }
  });
});
