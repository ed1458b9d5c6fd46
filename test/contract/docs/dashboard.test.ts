import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAlertRules } from '../../../hack/alerts/rules.ts';
import { METRICS } from '../../../src/observability/metric-table.ts';
import { exposedMetrics, groupingLabels, labelsOf, selectedIn } from './promql.ts';

interface DashboardPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const FILE = new URL('../../../kustomize/components/grafana-dashboard/dashboard.json', import.meta.url);
const { panels } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly panels: readonly DashboardPanel[] };
const charts = panels.filter(({ type }) => type !== 'row');
const queries = charts.flatMap(({ targets }) => targets ?? []);
/** Variables of Grafana are no metrics. */
const plain = (expr: string): string => expr.replaceAll(/\$__\w+/g, '5m');

describe('the dashboard', () => {
  it('has panels that do not overlap, each with an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = new Set<string>();
    for (const { gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(cells.has(`${x} ${y}`)).toBe(false);
          cells.add(`${x} ${y}`);
        }
      }
    }
  });

  it('queries in every panel metrics that the service exposes, of the chosen installation alone', async () => {
    const known = await exposedMetrics();
    expect(charts.length).toBeGreaterThan(20);
    for (const { title, targets = [] } of charts) {
      expect(targets.length, title).toBeGreaterThan(0);
      for (const { expr } of targets) {
        const selected = selectedIn(plain(expr));
        expect(selected.length, title).toBeGreaterThan(0);
        for (const { metric, matchers } of selected) {
          expect(known, title).toContain(metric);
          expect(
            matchers.map(({ label }) => label),
            title,
          ).toEqual(expect.arrayContaining(['namespace', 'job']));
        }
      }
    }
  });

  it('uses labels that the metrics have', () => {
    for (const { expr, legendFormat } of queries) {
      const selected = selectedIn(plain(expr));
      const labels = selected.flatMap(({ metric }) => labelsOf(metric) ?? ['namespace', 'job', 'instance']);
      const legend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const matched = selected.flatMap(({ matchers }) => matchers.map(({ label }) => label));
      for (const label of [...groupingLabels(expr), ...legend, ...matched])
        expect(labels, expr).toContain(label);
    }
  });

  it('shows, together with the alerts, every metric of the service', () => {
    const shown = new Set(
      [...queries, ...readAlertRules().flatMap(({ rules }) => rules)].flatMap(({ expr }) =>
        selectedIn(plain(expr)).map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, '')),
      ),
    );
    for (const metric of Object.keys(METRICS)) expect([...shown]).toContain(metric);
  });
});
