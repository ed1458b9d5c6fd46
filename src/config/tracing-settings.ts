import { withoutTrailingSlashes } from './base-url.ts';
import type { VariableValues } from './variables.ts';

/** How traces are exported. */
export interface TracingSettings {
  /** Where spans are sent to. */
  readonly url: string;
  /** They may contain a token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sampler: {
    readonly name: NonNullable<VariableValues['OTEL_TRACES_SAMPLER']>;
    readonly ratio: number;
  };
  /** Follows the sampling decision of callers. */
  readonly trustsParent: boolean;
  /** Attributes that are given for the service. */
  readonly resource: Readonly<Record<string, string>>;
}

export function composeTracing(values: VariableValues): TracingSettings | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const name = values.OTEL_SERVICE_NAME;
  return {
    url: `${withoutTrailingSlashes(endpoint.href)}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    sampler: {
      name: values.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on',
      ratio: values.OTEL_TRACES_SAMPLER_ARG ?? 1,
    },
    trustsParent: values.SERVICE_TRUST_TRACEPARENT ?? false,
    resource: { ...values.OTEL_RESOURCE_ATTRIBUTES, ...(name !== undefined && { 'service.name': name }) },
  };
}
