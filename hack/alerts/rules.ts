import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const RULES = new URL('../../kustomize/components/alerts/prometheus-rule.yaml', import.meta.url);
const CASES = new URL('cases.yaml', import.meta.url);

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (AlertRule | RecordingRule)[];
}

/** Series of samples by their names, in promtool's notation. */
export type Samples = Readonly<Record<string, string>>;

/** When an alert fires, and when it nearly does. */
export interface AlertCase {
  readonly alert: string;
  /** When to look, such as `30m`. */
  readonly at: string;
  readonly fires: Samples;
  readonly staysSilent: Samples;
}

/** One case for each alert. */
export function readAlertCases(): readonly AlertCase[] {
  return parse(readFileSync(CASES, 'utf8')) as readonly AlertCase[];
}

/** The groups of the alerts component. */
export function readAlertRules(): readonly RuleGroup[] {
  const object = parse(readFileSync(RULES, 'utf8')) as {
    readonly spec: { readonly groups: readonly RuleGroup[] };
  };
  return object.spec.groups;
}

export function alertsOf(groups: readonly RuleGroup[]): readonly AlertRule[] {
  return groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
}

export function recordingsOf(groups: readonly RuleGroup[]): readonly RecordingRule[] {
  return groups.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));
}
