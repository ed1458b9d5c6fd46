import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from '../../../../src/observability/tracing.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

describe('a traceparent', () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, 1],
    [`00-${traceId}-${spanId}-00`, 0],
    [`00-${traceId}-${spanId}-03`, 1],
    [`cc-${traceId}-${spanId}-01-of-a-later-version`, 1],
  ])('is %s', (header, traceFlags) => {
    expect(parseTraceparent(header)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
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
    for (const traceFlags of [1, 0]) {
      const parent = { traceId, spanId, traceFlags, isRemote: true };
      expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent);
    }
  });
});
