import { isStored, sameValue, type FormValues, type Value } from '../values/value.ts';
import { keysOfType } from '../../../src/contract/secret-types.ts';
import { changedKeys, type KeyChange } from './changes.ts';
import { nextRowId, valueOf, valuesOf, type Row } from './draft.ts';

/** What became of a row since the Secret was loaded. */
export type RowState = 'same' | 'changed' | 'renamed' | 'added';

/** A row of the form, or a key of the Secret that has no row any longer. */
export type ListedRow =
  | { readonly kind: 'row'; readonly row: Row; readonly state: RowState }
  | { readonly kind: 'removed'; readonly key: string };

/** The key of the Secret that a row stands for: the one that it was loaded from, or the one that it has. */
function keyInBase(base: FormValues, { origin, key }: Row): string | undefined {
  if (origin !== undefined && base.has(origin)) return origin;
  return base.has(key) ? key : undefined;
}

export function stateOf(base: FormValues, row: Row): RowState {
  const from = keyInBase(base, row);
  if (from === undefined) return row.key === '' && row.value === '' ? 'same' : 'added';
  if (from !== row.key) return 'renamed';
  return sameValue(base.get(from) ?? '', valueOf(row)) ? 'same' : 'changed';
}

/** The rows with what became of them, and the removed keys where they were. */
export function listedRows(base: FormValues, rows: readonly Row[]): readonly ListedRow[] {
  const kept = new Set(rows.map((row) => keyInBase(base, row)));
  const places = new Map([...base.keys()].map((key, place) => [key, place]));
  const removed = [...base.keys()].filter((key) => !kept.has(key));
  const listed: ListedRow[] = [];
  let next = 0;
  const listRemoved = (before: number) => {
    for (; next < removed.length; next++) {
      const key = removed[next] ?? '';
      if ((places.get(key) ?? 0) >= before) return;
      listed.push({ kind: 'removed', key });
    }
  };
  for (const row of rows) {
    listRemoved(places.get(row.origin ?? '') ?? Infinity);
    listed.push({ kind: 'row', row, state: stateOf(base, row) });
  }
  listRemoved(Infinity);
  return listed;
}

/**
 * A row as the Secret has it; one that the Secret does not have goes. It gets a new id, since what a field remembers of
 * the other value (its line endings) no longer holds.
 */
export function undoRow(base: FormValues, rows: readonly Row[], id: number): readonly Row[] {
  return rows.flatMap((row) => {
    if (row.id !== id) return [row];
    const key = keyInBase(base, row);
    const isTaken = rows.some((other) => other.id !== id && other.origin === key);
    if (key === undefined || isTaken) return [];
    const stored = { key, origin: key, value: base.get(key) ?? '', loaded: undefined };
    return [{ ...row, ...stored, id: nextRowId(rows) }];
  });
}

/** Puts a removed key back where it was. */
export function restoreRow(
  { base, type }: { readonly base: FormValues; readonly type: string },
  rows: readonly Row[],
  key: string,
): readonly Row[] {
  const places = new Map([...base.keys()].map((one, place) => [one, place]));
  const place = places.get(key) ?? Infinity;
  const after = rows.findIndex(({ origin }) => (places.get(origin ?? '') ?? Infinity) > place);
  const row: Row = {
    ...{ id: nextRowId(rows), key, origin: key, value: base.get(key) ?? '' },
    fixed: keysOfType(type).includes(key),
  };
  return rows.toSpliced(after === -1 ? rows.length : after, 0, row);
}

/** Every key that differs, for a review: a key that only has another name is one change. */
export function reviewedChanges(base: FormValues, rows: readonly Row[]): readonly KeyChange[] {
  const values = valuesOf(rows);
  // What was looked at here is compared line by line.
  const read = new Map(
    rows.flatMap(({ loaded }) => (loaded === undefined ? [] : [[loaded.of.id, loaded.text]])),
  );
  const known = (value: Value | undefined) => (isStored(value) ? (read.get(value.id) ?? value) : value);
  const renamed = rows.flatMap((row): readonly KeyChange[] => {
    const from = keyInBase(base, row);
    const isRename = from !== undefined && from !== row.key && !values.has(from) && !base.has(row.key);
    return isRename
      ? [{ key: row.key, from, kind: 'renamed', before: known(base.get(from)), after: row.value }]
      : [];
  });
  const covered = new Set(renamed.flatMap(({ key, from = key }) => [key, from]));
  const others = changedKeys(base, values)
    .filter(({ key }) => !covered.has(key))
    .map((change) => ({ ...change, before: known(change.before) }));
  return [...others, ...renamed].sort((left, right) => (left.key < right.key ? -1 : 1));
}
