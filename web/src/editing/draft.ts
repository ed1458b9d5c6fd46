import { isValidKey, KEY_RULE } from '../../../src/contract/keys.ts';
import { bytesToSend, type FormValues, type StoredValue, type Value } from '../values/value.ts';
import { changedKeys } from './changes.ts';
import { changedFields, fieldsOf, NO_FIELDS, type Fields } from './fields.ts';
import { keysOfType } from '../../../src/contract/secret-types.ts';
import { brokenTextRule, type TextRule } from '../../../src/contract/text.ts';

/** One key and its value, as they stand in the form. */
export interface Row {
  /** Stays with the row while its key is being typed. */
  readonly id: number;
  readonly key: string;
  readonly value: Value;
  /** Demanded by the type; its key stays as it is. */
  readonly fixed: boolean;
  /** The key that it has in the Secret, whatever its key is now; what came from there is masked. Left out: it is new. */
  readonly origin?: string;
  /** What the stored value was when someone wanted to see it. */
  readonly loaded?: { readonly of: StoredValue; readonly text: string } | undefined;
}

/** What someone types into a row. */
export type RowChange = Partial<Pick<Row, 'key' | 'value' | 'loaded'>>;

/** A change of whatever the rows are by then. */
export type RowsChange = (rows: readonly Row[]) => readonly Row[];

/** Everything that a form holds. */
export interface Draft extends Fields {
  readonly rows: readonly Row[];
}

/** Everything that the form for a new Secret holds. */
export interface NewDraft extends Draft {
  readonly name: string;
  readonly type: string;
}

/** What a Secret holds that can be edited. */
export type Editable = Fields & { readonly values: FormValues; readonly type?: string };

export function draftOf(secret: Editable): Draft {
  return { rows: storedRows(secret.values, secret.type), ...fieldsOf(secret) };
}

/** The rows of a Secret as it is in the cluster. */
export function storedRows(values: FormValues, type = ''): readonly Row[] {
  const fixed = keysOfType(type);
  return [...values].map(([key, value], id) => ({
    ...{ id, key, value },
    ...{ fixed: fixed.includes(key), origin: key },
  }));
}

/** A row with an id that no other row has. */
export function addRow(rows: readonly Row[], row: Partial<Omit<Row, 'id'>> = {}): readonly Row[] {
  return [...rows, { key: '', value: '', fixed: false, ...row, id: nextRowId(rows) }];
}

export function nextRowId(rows: readonly Pick<Row, 'id'>[]): number {
  return rows.reduce((highest, { id }) => Math.max(highest, id), -1) + 1;
}

/**
 * Puts entries in: a key that is there already gets the new value, and a new id, since what a row remembers of
 * its old value (its line endings) no longer holds.
 */
export function importEntries(
  rows: readonly Row[],
  entries: readonly { readonly key: string; readonly value: Value }[],
): readonly Row[] {
  const values = new Map(entries.map(({ key, value }) => [key, value]));
  let id = nextRowId(rows);
  const replaced = filledRows(rows).map((row) => {
    const value = values.get(row.key);
    if (value === undefined || !values.delete(row.key)) return row;
    return { ...row, value, loaded: undefined, id: id++ };
  });
  const added = [...values].map(([key, value]) => ({ key, value, fixed: false, id: id++ }));
  return [...replaced, ...added];
}

/** Rows that no one has touched do not count. */
export function filledRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value, fixed }) => fixed || key !== '' || value !== '');
}

/** The value that a row stands for: one that was only looked at is the stored one. */
export const valueOf = ({ value, loaded }: Row): Value => (value === loaded?.text ? loaded.of : value);

export function valuesOf(rows: readonly Row[]): FormValues {
  return new Map(rows.map((row) => [row.key, valueOf(row)]));
}

/** Why a row cannot be saved as it stands. */
export interface RowProblem {
  readonly of: 'key' | 'value';
  readonly text: string;
}

/** The problems of all rows, by their ids, in one pass: there may be thousands. */
export function rowProblems(rows: readonly Row[]): ReadonlyMap<number, RowProblem> {
  const uses = new Map<string, number>();
  for (const { key } of rows) uses.set(key, (uses.get(key) ?? 0) + 1);
  const problems = new Map<number, RowProblem>();
  for (const { id, key, value } of rows) {
    const ofKey = keyProblem(key, uses.get(key) ?? 0);
    const text = ofKey ?? (typeof value === 'string' ? valueProblem(value) : undefined);
    if (text !== undefined) problems.set(id, { of: ofKey === undefined ? 'value' : 'key', text });
  }
  return problems;
}

function keyProblem(key: string, uses: number): string | undefined {
  if (key === '') return 'The key is missing.';
  if (!isValidKey(key)) return `Not a key: ${KEY_RULE}.`;
  return uses > 1 ? 'There is another row with this key.' : undefined;
}

export function dataBytes(rows: readonly Row[]): number {
  return rows.reduce((total, { value }) => total + bytesToSend(value), 0);
}

/** What a save has to change. */
export interface DraftChange extends Partial<Fields> {
  /** Left out: the values stay. */
  readonly values?: { readonly set: FormValues; readonly remove: readonly string[] };
}

/** Only what differs from the Secret as it was loaded; undefined when nothing does. */
export function changeOf(base: Editable, draft: Draft): DraftChange | undefined {
  const keys = changedKeys(base.values, valuesOf(draft.rows));
  const set = keys.flatMap(({ key, after }) => (after === undefined ? [] : [[key, after] as const]));
  const remove = keys.filter(({ after }) => after === undefined).map(({ key }) => key);
  const change = {
    ...(keys.length === 0 ? {} : { values: { set: new Map(set), remove } }),
    ...fieldsOf({ ...NO_FIELDS, ...draft }, changedFields(base, draft)),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

const WORDS: Readonly<Record<TextRule, string>> = {
  unicode: 'The value is not valid Unicode.',
  binaryControl: 'The value has control characters, which only binary values may have.',
};

/** Why a text cannot be a value, or undefined. */
function valueProblem(value: string): string | undefined {
  const rule = brokenTextRule(value);
  return rule === undefined ? undefined : WORDS[rule];
}
