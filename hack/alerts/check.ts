/** Has promtool check the metrics and the alert rules, and run these against the cases in cases.yaml. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createMetrics } from '../../src/observability/metrics.ts';
import { alertsOf, readAlertCases, readAlertRules, type AlertCase, type Samples } from './rules.ts';

const DASHBOARD = new URL('../../kustomize/components/grafana-dashboard/dashboard.json', import.meta.url);

const promtool = process.env['PROMTOOL'] ?? 'promtool';
const groups = readAlertRules();
const cases = readAlertCases();

const tested = cases.map(({ alert }) => alert).toSorted();
const written = alertsOf(groups)
  .map(({ alert }) => alert)
  .toSorted();
const untested = written.filter((alert) => !tested.includes(alert));
const unknown = tested.filter((alert) => !written.includes(alert));
for (const alert of untested) console.error(`test-alerts: ${alert} has no case`);
for (const alert of unknown) console.error(`test-alerts: there is a case for ${alert}, but no such alert`);

const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
try {
  writeFileSync(join(folder, 'rules.yaml'), stringify({ groups }));
  writeFileSync(
    join(folder, 'dashboard.yaml'),
    stringify({ groups: [{ name: 'dashboard', rules: panelQueries() }] }),
  );
  const files = cases.map(writeCase);
  const { body } = await createMetrics('0.0.0').expose();
  const went = [
    run(['check', 'metrics'], `${body}\n`),
    run(['check', 'rules', 'rules.yaml', 'dashboard.yaml']),
    run(['test', 'rules', ...files]),
  ];
  const failed = went.includes(false) || untested.length + unknown.length > 0;
  if (!failed) console.log(`test-alerts: ${written.length} alerts fire when they should and not before`);
  process.exitCode = failed ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}

/** Beside the rule of its alert, with what it is computed from: each file evaluates all its rules for every minute. */
function writeCase(one: AlertCase): string {
  const { alert } = one;
  const ofCase = groups.map(({ name, rules }) => ({
    name,
    rules: rules.filter((rule) => !('alert' in rule) || rule.alert === alert),
  }));
  writeFileSync(join(folder, `rules-${alert}.yaml`), stringify({ groups: ofCase }));
  const tests = [testOf(one, one.fires, 1), testOf(one, one.staysSilent, 0)];
  const file = `tests-${alert}.yaml`;
  writeFileSync(
    join(folder, file),
    stringify({ rule_files: [`rules-${alert}.yaml`], evaluation_interval: '1m', tests }),
  );
  return file;
}

function testOf({ alert, at }: AlertCase, samples: Samples, firing: 0 | 1): object {
  return {
    name: `${alert} ${firing === 1 ? 'fires' : 'stays silent'}`,
    interval: '1m',
    input_series: Object.entries(samples).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"}) or vector(0)`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: firing }],
      },
    ],
  };
}

/** The dashboard's queries as if they were recording rules: that is what promtool can check. */
function panelQueries(): readonly object[] {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets = [] }) => targets);
  return queries.map(({ expr }, index) => ({
    record: `dashboard:query${index}`,
    expr: expr.replaceAll(/\$__\w+/g, '5m'),
  }));
}

/** What promtool says is of use where it finds a fault. */
function run(args: readonly string[], input = ''): boolean {
  const { status, error, stdout } = spawnSync(promtool, args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined)
    console.error(`test-alerts: ${promtool} cannot be started; see hack/install-promtool`);
  else if (status !== 0) console.error(stdout);
  return status === 0;
}
