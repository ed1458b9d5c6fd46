import { expect, it } from 'vitest';
import { groupingLabels, selectedIn } from './promql.ts';

it('the metrics of an expression are found with their matchers, and nothing else is', () => {
  const expr = `
    sum by (namespace, route) (rate(service_a_total{code=~"b|c", status!="501"}[5m])) > 0.5
    and on (job) (service_d unless service_d offset 10m) or vector(0) / job:service_e:ratio_rate5m`;
  expect(selectedIn(expr).map(({ metric }) => metric)).toEqual([
    'service_a_total',
    'service_d',
    'service_d',
    'job:service_e:ratio_rate5m',
  ]);
  expect(selectedIn(expr)[0]?.matchers).toEqual([
    { label: 'code', operator: '=~', value: 'b|c' },
    { label: 'status', operator: '!=', value: '501' },
  ]);
  expect(groupingLabels(expr)).toEqual(['namespace', 'route', 'job']);
});
