import { METRICS } from '../../../src/observability/metric-table.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';

const WORDS = new Set('and or unless by without on ignoring group_left group_right offset bool'.split(' '));
/** What Prometheus itself, or its scrape configuration, adds to each series. */
const LABELS_OF_SCRAPES = ['namespace', 'job', 'instance', 'le'];

/** A metric of an expression, with the label matchers that follow it. */
export interface Selected {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** The metrics of a PromQL expression, as far as names and matchers go; promtool judges the rest. */
export function selectedIn(expr: string): readonly Selected[] {
  // Label lists of aggregations and joins hold no metrics.
  const text = expr.replace(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '$1');
  const tokens = text.match(/"[^"]*"|\[[^\]]*\]|\{[^}]*\}|\d[\w.]*|[a-zA-Z_:][\w:]*|\S/g) ?? [];
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1] ?? '';
    const isMetric = /^[a-zA-Z_:]/.test(token) && !WORDS.has(token) && !['(', 'by', 'without'].includes(next);
    return isMetric ? [{ metric: token, matchers: matchersOf(next) }] : [];
  });
}

/** The labels that an expression groups or joins by. */
export function groupingLabels(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  );
}

/** The metrics that the service exposes beside its own, such as those of the process. */
export async function exposedMetrics(): Promise<ReadonlySet<string>> {
  const { body } = await createMetrics('1').expose();
  const names = new Set<string>();
  for (const [, name = '', type = ''] of body.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    if (type !== 'histogram') names.add(name);
    else for (const suffix of ['bucket', 'sum', 'count']) names.add(`${name}_${suffix}`);
  }
  return names;
}

/** The labels that a metric can carry; undefined for one that is not of the service's table. */
export function labelsOf(metric: string): readonly string[] | undefined {
  const name = metric.replace(/_(bucket|sum|count)$/, '');
  const described = Object.entries(METRICS).find(([key]) => key === metric || key === name);
  return described === undefined ? undefined : [...Object.keys(described[1].labels), ...LABELS_OF_SCRAPES];
}

function matchersOf(token: string): Selected['matchers'] {
  if (!token.startsWith('{')) return [];
  return [...token.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
    ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
  );
}
