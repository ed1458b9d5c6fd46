import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { createSampler } from '../../../../src/observability/tracing.ts';
import type { Settings } from '../../../../src/config/settings.ts';

type SamplerName = NonNullable<Settings['tracing']>['sampler']['name'];

const RECORDED = 2;
interface Case {
  readonly name: SamplerName;
  readonly ratio?: number;
  readonly trustsParent?: boolean;
  readonly flag: boolean | undefined;
  readonly isRemote?: boolean;
}

/** How many of 200 traces are sampled. */
function sampled({ name, ratio = 1, trustsParent = false, flag, isRemote = true }: Case): number {
  const sampler = createSampler({ sampler: { name, ratio }, trustsParent });
  let count = 0;
  for (let index = 1; index <= 200; index++) {
    // The low ids of a caller who wants to be sampled.
    const traceId =
      flag === undefined ? crypto.randomUUID().replaceAll('-', '') : index.toString(16).padStart(32, '0');
    const context =
      flag === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId: '00f067aa0ba902b7',
            traceFlags: flag ? 1 : 0,
            isRemote,
          });
    const { decision } = sampler.shouldSample(context, traceId, 'request', SpanKind.SERVER, {}, []);
    const code: number = decision;
    if (code === RECORDED) count += 1;
  }
  return count;
}

describe('the sampler', () => {
  it('lets no caller decide, neither by the flag nor by the trace id', () => {
    for (const flag of [true, false]) {
      expect(sampled({ name: 'parentbased_always_on', flag })).toBe(200);
      expect(sampled({ name: 'parentbased_always_off', flag })).toBe(0);
      expect(sampled({ name: 'parentbased_traceidratio', ratio: 0.02, flag })).toBeLessThan(30);
      expect(sampled({ name: 'traceidratio', ratio: 0.02, flag })).toBeLessThan(30);
    }
  });

  it('lets trusted callers decide', () => {
    const name = 'parentbased_traceidratio';
    expect(sampled({ name, ratio: 0, trustsParent: true, flag: true })).toBe(200);
    expect(sampled({ name, ratio: 1, trustsParent: true, flag: false })).toBe(0);
    expect(sampled({ name: 'traceidratio', ratio: 0.02, trustsParent: true, flag: false })).toBe(200);
  });

  it('follows the decision about the request in all spans below it', () => {
    const below = { isRemote: false } as const;
    expect(sampled({ name: 'traceidratio', ratio: 0, flag: true, ...below })).toBe(200);
    expect(sampled({ name: 'always_on', flag: false, ...below })).toBe(0);
  });

  it('samples the share of new traces that the settings state', () => {
    expect(sampled({ name: 'always_on', flag: undefined })).toBe(200);
    expect(sampled({ name: 'always_off', flag: undefined })).toBe(0);
    expect(sampled({ name: 'traceidratio', ratio: 0.5, flag: undefined })).toBeGreaterThan(40);
    expect(sampled({ name: 'traceidratio', ratio: 0.5, flag: undefined })).toBeLessThan(160);
  });
});
