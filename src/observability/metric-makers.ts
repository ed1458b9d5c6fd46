import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { METRICS, type MetricName } from './metric-table.ts';

/** Names of metrics with buckets. */
export type HistogramName = {
  [Name in MetricName]: (typeof METRICS)[Name] extends { readonly buckets: readonly number[] } ? Name : never;
}[MetricName];

/** Makes the metrics of the table in one registry, each at most once. */
export interface MetricMakers {
  readonly counter: (name: MetricName) => Counter;
  readonly gauge: (name: MetricName) => Gauge;
  readonly histogram: (name: HistogramName) => Histogram;
}

export function metricMakers(registry: Registry): MetricMakers {
  const registers = [registry];
  const base = (name: MetricName) => ({
    name,
    help: METRICS[name].help,
    labelNames: [...METRICS[name].labels],
    registers,
  });
  return {
    counter: (name) => new Counter(base(name)),
    gauge: (name) => new Gauge(base(name)),
    histogram: (name) => new Histogram({ ...base(name), buckets: [...METRICS[name].buckets] }),
  };
}
