import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { BOUNDS, METRICS, type Bound, type LabelsOf, type Metric, type NameOf } from './metric-table.ts';

/** The labels as the last argument; no argument for a metric without labels. */
type LabelArguments<Name extends keyof typeof METRICS> = keyof LabelsOf<Name> extends never
  ? readonly []
  : readonly [LabelsOf<Name>];

/** Changes the metrics of `METRICS` by their names. */
export type Metrics = ReturnType<typeof metricsOf>;

function metricsOf(registry: Registry) {
  /** Or a counter, of which `inc` alone is called. */
  const gauge = (name: string) => registry.getSingleMetric(name) as Gauge;
  const of = ([labels = {}]: readonly object[]) => labels as Readonly<Record<string, string>>;
  const samples: (() => void)[] = [];
  return {
    inc<Name extends NameOf<'counter'>>(name: Name, ...labels: LabelArguments<Name>) {
      gauge(name).inc(of(labels));
    },
    add<Name extends NameOf<'counter' | 'gauge'>>(
      name: Name,
      amount: number,
      ...labels: LabelArguments<Name>
    ) {
      gauge(name).inc(of(labels), amount);
    },
    /** `true` is 1, `false` is 0. */
    set<Name extends NameOf<'gauge'>>(name: Name, value: number | boolean, ...labels: LabelArguments<Name>) {
      gauge(name).set(of(labels), Number(value));
    },
    /** Sets these series of a gauge, and removes all others. */
    replace<Name extends NameOf<'gauge'>>(
      name: Name,
      series: readonly { readonly labels: LabelsOf<Name>; readonly value: number }[],
    ): void {
      gauge(name).reset();
      for (const { labels, value } of series) gauge(name).set(labels, value);
    },
    observe<Name extends NameOf<'histogram'>>(name: Name, value: number, ...labels: LabelArguments<Name>) {
      (registry.getSingleMetric(name) as Histogram).observe(of(labels), value);
    },
    /** Counts what a bound refuses. */
    countRefusal: (bound: Bound) => {
      gauge('service_bounds_refused_total').inc({ bound });
    },
    /** Calls `sample` before each exposition, to set values that are cheaper to compute than to update. */
    onExpose(sample: () => void): void {
      samples.push(sample);
    },
    /** The exposition text and its content type. */
    async expose() {
      for (const sample of samples) sample();
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** Metrics in a registry of their own, together with the process's standard ones. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // They are gauges, whatever their names say, and nodejs_active_resources has what they have.
  for (const counted of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${counted}_total`);
  for (const [name, { type, help, labels, buckets = [] }] of Object.entries<Metric>(METRICS)) {
    const configuration = { name, help, labelNames: Object.keys(labels), registers: [] };
    if (type === 'counter') registry.registerMetric(new Counter(configuration));
    else if (type === 'gauge') registry.registerMetric(new Gauge(configuration));
    else registry.registerMetric(new Histogram({ ...configuration, buckets: [...buckets] }));
  }
  const metrics = metricsOf(registry);
  metrics.set('service_build_info', 1, { version });
  metrics.set('service_memory_limit_bytes', memoryLimit(), { of: 'process' });
  // Beyond it V8 ends the process.
  metrics.set('service_memory_limit_bytes', getHeapStatistics().heap_size_limit, { of: 'heap' });
  // From the start, so that the first refusal is an increase and not a new series.
  for (const bound of BOUNDS) metrics.add('service_bounds_refused_total', 0, { bound });
  return metrics;
}

/**
 * What this process may use, in bytes: beyond it the container is killed, or the machine is out of memory. Without a
 * limit of its own the constrained memory is 0 or larger than any memory, depending on the version of cgroups.
 */
export function memoryLimit(constrained = process.constrainedMemory(), machine = totalmem()): number {
  return constrained > 0 && constrained < machine ? constrained : machine;
}
