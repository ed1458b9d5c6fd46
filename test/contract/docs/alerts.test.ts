import { describe, expect, it } from 'vitest';
import { alertsOf, readAlertCases, readAlertRules, recordingsOf } from '../../../hack/alerts/rules.ts';
import { ERROR_CODES } from '../../../src/errors/service-error.ts';
import { METRICS } from '../../../src/observability/metric-table.ts';
import { LOGIN_FAILURES } from '../../../src/auth/login/login-failure.ts';
import { readDocument, column, listRows } from '../../unit/observability/markdown-tables.ts';
import { anchorsOf } from './markdown-links.ts';
import { exposedMetrics, groupingLabels, labelsOf, selectedIn } from './promql.ts';

const groups = readAlertRules();
const cases = readAlertCases();
const alerts = alertsOf(groups);
const recordings = recordingsOf(groups);
const rules = groups.flatMap((group) => group.rules);
const runbook = readDocument('runbook.md');

describe.each(alerts.map((rule) => [rule.alert, rule] as const))('the alert %s', (name, rule) => {
  it('says how long, how bad, what, and where to read on', () => {
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(['warning', 'critical']).toContain(rule.labels['severity']);
    expect(rule.annotations['summary']).toMatch(/\w{3,}/);
    expect(rule.annotations['description']).toMatch(/\w{3,}/);
    const [file, anchor = ''] = (rule.annotations['runbook_url'] ?? '').split('#');
    expect(file?.endsWith('/docs/runbook.md')).toBe(true);
    expect(anchor).toBe(name.toLowerCase());
    expect(anchorsOf(runbook)).toContain(anchor);
  });

  it('has a case for promtool', () => {
    expect(cases.filter(({ alert }) => alert === name)).toHaveLength(1);
  });

  it('names in its texts only labels that its expression keeps', () => {
    const texts = Object.values(rule.annotations).join(' ');
    const named = [...texts.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    for (const label of named) expect(keptLabels(rule.expr)).toContain(label);
  });
});

/** What an expression groups by, else what the names of recorded series say, else the labels of scrapes. */
function keptLabels(expr: string): readonly string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
  if (grouped.length > 0) return grouped;
  const recorded = selectedIn(expr).filter(({ metric }) => metric.includes(':'));
  if (recorded.length > 0) return recorded.flatMap(({ metric }) => metric.split(':')[0]?.split('_') ?? []);
  return ['namespace', 'job', 'instance'];
}

describe('the rules', () => {
  it('use only metrics that the service exposes, or that other rules record', async () => {
    const known = new Set([...(await exposedMetrics()), ...recordings.map(({ record }) => record)]);
    for (const { expr } of rules) {
      const selected = selectedIn(expr);
      expect(selected.length).toBeGreaterThan(0);
      for (const { metric } of selected) expect(known, expr).toContain(metric);
    }
  });

  it('match and group by labels that the metrics have', () => {
    for (const { expr } of rules) {
      const kept = new Set<string>();
      for (const { metric, matchers } of selectedIn(expr)) {
        const labels = labelsOf(metric);
        for (const label of labels ?? []) kept.add(label);
        if (labels === undefined) continue;
        for (const { label } of matchers) expect(labels, expr).toContain(label);
      }
      const ofTable = selectedIn(expr).every(({ metric }) => labelsOf(metric) !== undefined);
      if (ofTable) for (const label of groupingLabels(expr)) expect([...kept], expr).toContain(label);
    }
  });

  it('match codes and outcomes that there are', () => {
    const codes: readonly string[] = ERROR_CODES;
    const outcomes = ['ok', 'replayed', ...Object.keys(LOGIN_FAILURES)];
    const matched: string[] = [];
    for (const { metric, matchers } of rules.flatMap(({ expr }) => selectedIn(expr))) {
      for (const { label, value } of matchers) {
        const isOutcome = metric === 'service_sign_ins_total' && label === 'outcome';
        if (label !== 'code' && !isOutcome) continue;
        for (const one of value.split('|')) expect(isOutcome ? outcomes : codes, metric).toContain(one);
        matched.push(label);
      }
    }
    expect(matched).toEqual(expect.arrayContaining(['code', 'outcome']));
  });

  it('record only what an alert uses, or what the name says is for looking at', () => {
    const used = new Set(rules.flatMap(({ expr }) => selectedIn(expr).map(({ metric }) => metric)));
    const forLookingAt = ['namespace_job:service_http_requests:rate5m'];
    for (const { record } of recordings) {
      if (!forLookingAt.includes(record)) expect([...used]).toContain(record);
    }
  });

  it('alert on every metric of which the reference says so', () => {
    const selected = new Set(rules.flatMap(({ expr }) => selectedIn(expr).map(({ metric }) => metric)));
    const rows = listRows(readDocument('observability.md'), 'Metrics', [
      'Metric',
      'Type',
      'Labels',
      'Meaning',
    ]).filter((row) => (row.get('Meaning') ?? '').includes('Alert on'));
    expect(rows.length).toBeGreaterThan(2);
    for (const metric of column(rows, 'Metric')) expect([...selected]).toContain(metric);
  });
});

describe('docs/runbook.md', () => {
  it('has a chapter for each alert, and for no other', () => {
    const chapters = [...runbook.matchAll(/^### (SecretsService\w+)$/gm)].map(([, name]) => name);
    expect(chapters.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it.each(alerts.map(({ alert }) => alert))(
    'explains %s: what it means, what suffers, where to look, what to do',
    (name) => {
      const chapter = runbook.split(`### ${name}\n`)[1]?.split(/^##/m)[0] ?? '';
      for (const part of ['Meaning', 'Impact', 'Diagnosis', 'Mitigation'])
        expect(chapter).toContain(`**${part}.**`);
    },
  );

  it('names only metrics that there are', () => {
    const names = [...runbook.matchAll(/`(service_[a-z_]+)/g)].map(([, name]) => name);
    for (const name of names) expect(Object.keys(METRICS)).toContain(name);
  });
});
