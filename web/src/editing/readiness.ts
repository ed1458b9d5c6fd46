import { canBeSaved, rowProblem, type Row } from './draft.ts';

/** Rows that nobody has touched do not count. */
export function filledRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value, fixed }) => fixed || key !== '' || value !== '');
}

/** What holds the rows back, to be said beside the button: which row it is; the row itself tells the rule. */
export function rowsProblem(rows: readonly Row[]): string | undefined {
  if (canBeSaved(rows)) return undefined;
  const row = rows.find((one) => rowProblem(one, rows) !== undefined);
  if (row === undefined) return 'The values are over the limit together.';
  return row.key === '' ? 'A value has no key yet.' : `The row of ${row.key} is not in order yet.`;
}
