import { MAX_DATA_BYTES } from '../../../src/contract/limits.ts';
import { dataBytes, rowProblems, type Row } from './draft.ts';
import { typeNeed } from './type-rules.ts';
import { READINESS_WORDS } from '../words/editing.ts';

/** Rows that no one has touched do not count. */
export function filledRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value, fixed }) => fixed || key !== '' || value !== '');
}

/**
 * What holds the rows back, to be said beside the button: which row it is; the row itself shows the rule.
 * @param type whose rules the values are held to; undefined when they are not sent
 */
export function rowsProblem(rows: readonly Row[], type: string | undefined): string | undefined {
  const problems = rowProblems(rows);
  const row = rows.find(({ id }) => problems.has(id));
  if (row !== undefined) {
    return row.key === '' ? READINESS_WORDS.noKey : READINESS_WORDS.checkKey(row.key);
  }
  if (dataBytes(rows) > MAX_DATA_BYTES) return READINESS_WORDS.tooLarge;
  const fits = type === undefined || typeNeed(type, rows) === undefined;
  return fits ? undefined : READINESS_WORDS.noMatch;
}
