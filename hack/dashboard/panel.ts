export type Unit = 'reqps' | 's' | 'bytes' | 'percentunit' | 'short';

/** `$of` in an expression stands for the selectors of the installation that is looked at. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly kind: 'stat' | 'timeseries';
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** From this value on, a stat is red; below it is green. Written as `below`, the other way round. */
  readonly alarming?: { readonly from: number } | { readonly below: number };
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const graph = (
  title: string,
  unit: Unit,
  description: string,
  ...queries: readonly Query[]
): Panel => ({
  title,
  description,
  kind: 'timeseries',
  unit,
  queries,
});

export const stat = (title: string, unit: Unit, description: string, expr: string): Panel => ({
  title,
  description,
  kind: 'stat',
  unit,
  queries: [{ expr, legend: title }],
});

/** The same panel, red from a value on or below one. */
export const alarming = (when: NonNullable<Panel['alarming']>, panel: Panel): Panel => ({
  ...panel,
  alarming: when,
});

export const q = (legend: string, expr: string): Query => ({ legend, expr });

export const quantile = (share: number, histogram: string, by: string, more = ''): string =>
  `histogram_quantile(${share}, sum by (${by}le) (rate(${histogram}_bucket{$of${more}}[$__rate_interval])))`;
