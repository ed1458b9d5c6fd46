/** Series of samples by their names, in promtool's notation: `0+1x60` is 0, then 60 times one more, a minute apart. */
export type Samples = Readonly<Record<string, string>>;

/** When an alert fires, and when it nearly does. */
export interface AlertCase {
  readonly alert: string;
  /** When to look, such as `30m`. */
  readonly at: string;
  readonly fires: Samples;
  readonly staysSilent: Samples;
}

/** The name of a series of one replica; labels are given in pairs. */
export function series(
  metric: string,
  labels: Readonly<Record<string, string>> = {},
  instance = 'a',
): string {
  const all = { namespace: 'secrets-management', job: 'service', instance, ...labels };
  const pairs = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return `${metric}{${pairs.join(', ')}}`;
}
