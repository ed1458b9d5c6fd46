import { expect, test } from 'vitest';
import type { StoredSecret } from '../src/editing/stored-secret.ts';
import { addRow, draftOf } from '../src/editing/draft.ts';
import { typedRows } from '../src/editing/save-state.ts';
import { beginEdit, editReducer, type EditAction, type EditState } from '../src/features/edit/edit-state.ts';
import { summaryOf } from './summaries.ts';

const base: StoredSecret = {
  ...summaryOf('database', { keys: ['a'], resourceVersion: '10' }),
  values: new Map([['a', '1']]),
  warnings: [],
};
const theirs: StoredSecret = { ...base, resourceVersion: '11', description: 'theirs' };
const after = (...actions: readonly EditAction[]) => actions.reduce(editReducer, beginEdit(base));
const addKey: EditAction = {
  kind: 'edit',
  change: ({ rows }) => ({ rows: addRow(rows, { key: 'b', value: 'mine' }) }),
};
const unsavable = ({ base, draft }: EditState) => typedRows(draft.rows, [base]);
const typed = after(addKey);

test('a failed save stays in review, and the next one begins without its failure', () => {
  const failed = after(addKey, { kind: 'review' }, { kind: 'failed', error: 'x', isGone: true });
  expect(failed.phase).toMatchObject({ kind: 'review', failure: { isGone: true } });
  expect(editReducer(failed, { kind: 'review' }).phase).toEqual({ kind: 'review' });
});

test('what is merged goes on from the newer version, into review if anything is left to save', () => {
  const conflict: EditAction = { kind: 'conflict', theirs };
  const mine = { ...typed.draft, description: 'theirs' };
  const resolved = after(addKey, conflict, { kind: 'resolve', merged: mine });
  // In rows of their own: what a field remembers of another value (its line endings) does not go on.
  const rows = mine.rows.map((row) => ({ ...row, id: row.id + mine.rows.length }));
  expect(resolved).toMatchObject({ base: theirs, draft: { ...mine, rows }, phase: { kind: 'review' } });
  const merged = beginEdit(theirs).draft;
  expect(after(addKey, conflict, { kind: 'resolve', merged }).phase).toEqual({ kind: 'editing' });
});

test('what is merged and cannot be saved is edited first', () => {
  const keyless: EditAction = {
    kind: 'edit',
    change: ({ rows }) => ({ rows: addRow(rows, { value: 'x' }) }),
  };
  const merged = after(keyless).draft;
  const resolve: EditAction = { kind: 'resolve', merged };
  expect(after(keyless, { kind: 'conflict', theirs }, resolve).phase).toEqual({ kind: 'editing' });
});

test('values that were typed before the Secret was locked are kept until they are discarded', () => {
  const locked = { ...theirs, immutable: true };
  const merged = beginEdit(locked).draft;
  const kept = after(addKey, { kind: 'conflict', theirs: locked }, { kind: 'resolve', merged });
  expect(unsavable(kept)).toMatchObject([{ key: 'b', value: 'mine' }]);
  const discard: EditAction = { kind: 'edit', change: () => ({ rows: draftOf(locked).rows }) };
  expect(unsavable(editReducer(kept, discard))).toEqual([]);
});

test('a save keeps what was typed since', () => {
  const since = after(
    addKey,
    { kind: 'edit', change: () => ({ description: 'since' }) },
    { kind: 'saved', secret: theirs },
  );
  expect(since).toMatchObject({ base: theirs, draft: { description: 'since' }, phase: { kind: 'editing' } });
});
