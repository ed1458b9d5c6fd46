import type { SecretChange, SecretDetail, Values } from '../api/secrets-api.ts';
import { isValidKey, KEY_RULE, MAX_DATA_BYTES } from '../rules/contract.ts';
import { utf8Bytes } from '../values/bytes.ts';
import { valueProblem } from '../values/value-rule.ts';
import { changedKeys, sameList } from './changes.ts';

/** One key and its value, as they stand in the form. */
export interface Row {
  /** Stays with the row while its key is being typed. */
  readonly id: number;
  readonly key: string;
  readonly value: string;
  /** Demanded by the type; its key stays as it is. */
  readonly fixed: boolean;
  /** Came from the Secret, and is masked until someone wants to see it. */
  readonly stored: boolean;
}

/** Everything that a form holds. */
export interface Draft {
  readonly rows: readonly Row[];
  readonly description: string;
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
}

/** What a Secret holds that can be edited. */
export type Editable = Pick<SecretDetail, 'text' | 'description' | 'allowedGroups' | 'allowedUsers'>;

export function draftOf({ text, description, allowedGroups, allowedUsers }: Editable): Draft {
  const rows = [...text].map(([key, value], id) => ({ id, key, value, fixed: false, stored: true }));
  return { rows, description, allowedGroups, allowedUsers };
}

/** A row with an id that no other row has. */
export function addRow(rows: readonly Row[], row: Partial<Omit<Row, 'id'>> = {}): readonly Row[] {
  const id = Math.max(-1, ...rows.map((one) => one.id)) + 1;
  return [...rows, { key: '', value: '', fixed: false, stored: false, ...row, id }];
}

/**
 * Puts entries in: a key that is there already gets the new value, and a new id, since what a row remembers of
 * its old value (its line endings) does not hold any more.
 */
export function importEntries(
  rows: readonly Row[],
  entries: readonly { readonly key: string; readonly value: string }[],
): readonly Row[] {
  return entries.reduce<readonly Row[]>((all, { key, value }) => {
    const known = all.find((row) => row.key === key);
    if (known === undefined) return addRow(all, { key, value });
    const id = Math.max(...all.map((row) => row.id)) + 1;
    return all.map((row) => (row === known ? { ...row, value, id } : row));
  }, dropBlank(rows));
}

function dropBlank(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value, fixed }) => fixed || key !== '' || value !== '');
}

export function valuesOf(rows: readonly Row[]): Values {
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Why a row cannot be saved as it stands, or undefined. */
export function rowProblem(row: Row, rows: readonly Row[]): string | undefined {
  if (row.key === '') return 'The key is missing.';
  if (!isValidKey(row.key)) return `Not a key: ${KEY_RULE}.`;
  if (rows.some((other) => other.id !== row.id && other.key === row.key))
    return 'There is another row with this key.';
  return valueProblem(row.value);
}

export function dataBytes(rows: readonly Row[]): number {
  return rows.reduce((total, { value }) => total + utf8Bytes(value), 0);
}

export function canBeSaved(rows: readonly Row[]): boolean {
  return dataBytes(rows) <= MAX_DATA_BYTES && rows.every((row) => rowProblem(row, rows) === undefined);
}

/** Only what differs from the Secret as it was loaded; undefined when nothing does. */
export function changeOf(base: Editable, draft: Draft): Omit<SecretChange, 'resourceVersion'> | undefined {
  const data = valuesOf(draft.rows);
  const change = {
    ...(changedKeys(base.text, data).length === 0 ? {} : { data }),
    ...(base.description === draft.description ? {} : { description: draft.description }),
    ...(sameList(base.allowedGroups, draft.allowedGroups) ? {} : { allowedGroups: draft.allowedGroups }),
    ...(sameList(base.allowedUsers, draft.allowedUsers) ? {} : { allowedUsers: draft.allowedUsers }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}
