import { randomBytes } from 'node:crypto';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './tracing.ts';

/**
 * The sampler of requests and other work; the spans below follow its decision.
 *
 * A caller chooses the flag of `traceparent`, and with the trace id also the outcome of a ratio. So neither decides unless
 * callers are trusted: the decision about a request is the one that a new trace would get.
 */
export function createSampler({
  sampler,
  trustsParent,
}: Pick<TracingOptions, 'sampler' | 'trustsParent'>): Sampler {
  const root = rootSampler(sampler);
  if (trustsParent && sampler.name.startsWith('parentbased_')) return new ParentBasedSampler({ root });
  const remote = trustsParent ? root : asForNewTrace(root);
  return new ParentBasedSampler({ root, remoteParentSampled: remote, remoteParentNotSampled: remote });
}

function rootSampler({ name, ratio }: TracingOptions['sampler']): Sampler {
  if (name.endsWith('always_off')) return new AlwaysOffSampler();
  if (name.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio);
  return new AlwaysOnSampler();
}

function asForNewTrace(root: Sampler): Sampler {
  return {
    shouldSample: (context, _traceId, ...rest) =>
      root.shouldSample(context, randomBytes(16).toString('hex'), ...rest),
    toString: () => `AsForNewTrace{${root.toString()}}`,
  };
}
