import type { Panel } from './panel.ts';
import { ROWS } from './rows.ts';

/** The selectors that the variables of the dashboard choose. */
const OF = 'namespace=~"$namespace", job=~"$job"';
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const COLUMNS = 24;
const SIZES = { stat: { w: 3, h: 4 }, timeseries: { w: 8, h: 8 } } as const;

/** The dashboard as Grafana imports it. */
export function dashboard(): object {
  return {
    uid: 'secrets-management-service',
    title: 'Secrets Management Service',
    description:
      'Requests, the cluster API, sign-in, history and the process. docs/observability.md explains the metrics.',
    tags: ['secrets-management-service'],
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    schemaVersion: 39,
    version: 1,
    timezone: 'utc',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: variables() },
    annotations: { list: [] },
    links: [],
    panels: panels(),
  };
}

function variables(): readonly object[] {
  const choice = (name: string, query: string) => ({
    name,
    label: name,
    type: 'query',
    datasource: DATASOURCE,
    definition: query,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    multi: true,
    sort: 1,
    current: { selected: true, text: ['All'], value: ['$__all'] },
  });
  return [
    { name: 'datasource', label: 'data source', type: 'datasource', query: 'prometheus', hide: 0 },
    choice('namespace', 'label_values(service_build_info, namespace)'),
    choice('job', 'label_values(service_build_info{namespace=~"$namespace"}, job)'),
  ];
}

/** Row after row, panels from left to right. */
function panels(): readonly object[] {
  const placed: object[] = [];
  let y = 0;
  let id = 0;
  for (const row of ROWS) {
    placed.push({
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
      panels: [],
    });
    let x = 0;
    let height = 0;
    for (const panel of row.panels) {
      const { w, h } = SIZES[panel.kind];
      if (x + w > COLUMNS) {
        x = 0;
        y += height;
      }
      placed.push({ id: ++id, ...contentOf(panel), gridPos: { x, y, w, h } });
      x += w;
      height = h;
    }
    y += height;
  }
  return placed;
}

function contentOf(panel: Panel): object {
  return {
    type: panel.kind,
    title: panel.title,
    description: panel.description,
    datasource: DATASOURCE,
    targets: panel.queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr: expr.replaceAll('$of', OF),
      legendFormat: legend,
    })),
    fieldConfig: { defaults: { unit: panel.unit, min: 0, ...thresholds(panel) }, overrides: [] },
    options:
      panel.kind === 'stat'
        ? { colorMode: 'value', graphMode: 'area', reduceOptions: { calcs: ['lastNotNull'] } }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  };
}

function thresholds({ alarming }: Panel): object {
  if (alarming === undefined) return {};
  const [low, at, high] =
    'from' in alarming ? ['green', alarming.from, 'red'] : ['red', alarming.below, 'green'];
  return {
    thresholds: {
      mode: 'absolute',
      steps: [
        { color: low, value: null },
        { color: high, value: at },
      ],
    },
  };
}
