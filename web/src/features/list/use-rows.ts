import { defaultRangeExtractor, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState, type FocusEvent, type RefObject } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** Rows beyond both edges, so that the keyboard finds the next one before it is scrolled to. */
const OVERSCAN = 6;
/** Until the table has been measured. */
const FIRST_RECT = { width: 0, height: 800 };

/** The height of a row as the style sheet has it, in units of the text size. */
const ROW_REM = 2.625;
/** In pixels. */
const rowHeightNow = () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Takes the place of rows that are not drawn. */
interface Gap {
  readonly id: string;
  /** In pixels. */
  readonly height: number;
}

/**
 * The rows of a long list that are near enough to be drawn, by their indexes, and the gaps around them, in order.
 *
 * @param focused is drawn wherever it is
 */
export function useRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  focused: number | undefined,
): { readonly rows: readonly (number | Gap)[]; readonly to: number } {
  const [rowHeight, setRowHeight] = useState(rowHeightNow);
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count,
    overscan: OVERSCAN,
    initialRect: FIRST_RECT,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), focused),
    // Another text size of the browser changes both the rows and the table.
    observeElementRect: (instance, changed) =>
      observeElementRect(instance, (rect) => {
        setRowHeight(rowHeightNow());
        changed(rect);
      }),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const rows = withGaps(virtualizer.getVirtualItems(), virtualizer.getTotalSize());
  return { rows, to: Math.min(count, (virtualizer.range?.endIndex ?? -1) + 1 + OVERSCAN) };
}

/** The row that has the focus. It stays drawn out of sight: the keyboard goes on from it. */
export function useFocusedRow(secrets: readonly SecretSummary[]) {
  const [name, setName] = useState<string>();
  const focused = name === undefined ? -1 : secrets.findIndex((secret) => secret.name === name);
  const onFocus = ({ target }: FocusEvent) => {
    const index = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    setName(index === undefined ? undefined : secrets[Number(index)]?.name);
  };
  const onBlur = () => setName(undefined);
  return { focused: focused === -1 ? undefined : focused, handlers: { onFocus, onBlur } };
}

/** The indexes in order, with that of the focused row. */
export function withFocused(indexes: number[], focused: number | undefined): number[] {
  if (focused === undefined || indexes.includes(focused)) return indexes;
  return [...indexes, focused].toSorted((one, other) => one - other);
}

/** A row, and where it begins and ends in the list, in pixels. */
interface Placed {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** The rows by their indexes, with a gap wherever some are not drawn. */
export function withGaps(drawn: readonly Placed[], total: number): readonly (number | Gap)[] {
  const rows = drawn.flatMap(({ index, start }, at) => {
    const height = start - (drawn[at - 1]?.end ?? 0);
    return height > 0 ? [{ id: `gap-before-${at === 0 ? 'all' : index}`, height }, index] : [index];
  });
  const rest = total - (drawn.at(-1)?.end ?? 0);
  return rest > 0 ? [...rows, { id: 'gap-at-end', height: rest }] : rows;
}
