import { useCallback, useRef, type RefObject } from 'react';
import { useFocusNext } from '../../ui/use-focus-next.ts';
import type { FormValues } from '../../values/value.ts';
import { addRow, type Row, type RowChange, type RowsChange } from '../../editing/draft.ts';
import { restoreRow, undoRow } from '../../editing/row-state.ts';

export type RowActions = ReturnType<typeof useRowActions>;

export interface RowActionsOptions {
  readonly type: string;
  readonly base: FormValues | undefined;
  readonly onChange: (change: RowsChange) => void;
  /** What has the focus when no row is left. */
  readonly otherwise: RefObject<HTMLElement | null>;
}

const NEW_FIELD = '.key-input input:not([readonly]), .row-value :is(input, textarea)';
/** Never a masked value, which typing would replace. */
const HARMLESS = '.key-input input, .row-value button, .row-tools button';
const NOTHING: FormValues = new Map();

/** The rows that are drawn; behind them may be the place of others. */
function rowsIn(list: RefObject<HTMLUListElement | null>): readonly Element[] {
  return [...(list.current?.querySelectorAll(':scope > .row-editor') ?? [])];
}

/**
 * What can be done to rows. The focus goes along: to the first field of a new row, to what takes the place of a row that
 * is removed, and to a row that is as it was.
 */
export function useRowActions({ type, base = NOTHING, onChange, otherwise }: RowActionsOptions) {
  const list = useRef<HTMLUListElement>(null);
  const focusNext = useFocusNext();
  const focusKey = useCallback(
    (key: string) =>
      focusNext(() => list.current?.querySelector(`[data-key="${CSS.escape(key)}"] .row-value button`)),
    [focusNext],
  );
  const add = useCallback(
    (row: Partial<Omit<Row, 'id'>> = {}) => {
      let after: readonly Row[] = [];
      // The fields of a type are drawn first, so the new row may be above others.
      focusNext(() =>
        list.current?.querySelector<HTMLElement>(`[data-row="${after.at(-1)?.id}"] :is(${NEW_FIELD})`),
      );
      onChange((rows) => (after = addRow(rows, row)));
    },
    [focusNext, onChange],
  );
  const change = useCallback(
    (id: number, part: RowChange) =>
      onChange((rows) => rows.map((row) => (row.id === id ? { ...row, ...part } : row))),
    [onChange],
  );
  const remove = useCallback(
    (id: number) => {
      const place = rowsIn(list).findIndex((row) => row.matches(`[data-row="${id}"]`));
      focusNext(() => {
        const rows = rowsIn(list);
        const taker = rows[Math.min(place, rows.length - 1)];
        return taker?.querySelector<HTMLElement>(HARMLESS) ?? otherwise.current;
      });
      onChange((rows) => rows.filter((row) => row.id !== id));
    },
    [focusNext, onChange, otherwise],
  );
  const undo = useCallback(
    (id: number, key: string) => {
      focusKey(key);
      onChange((rows) => undoRow(base, rows, id));
    },
    [base, focusKey, onChange],
  );
  const restore = useCallback(
    (key: string) => {
      focusKey(key);
      onChange((rows) => restoreRow({ base, type }, rows, key));
    },
    [base, type, focusKey, onChange],
  );
  return { list, add, change, remove, undo, restore };
}
