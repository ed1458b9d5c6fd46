import { useLayoutEffect, useState, type FocusEvent, type RefObject } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** Rows beyond both edges, so that the keyboard finds the next one before it is scrolled to. */
const OVERSCAN = 6;

/** The height of a row as the style sheet has it, in units of the text size. */
const ROW_REM = 2.625;
/** In pixels. */
const rowHeightNow = () => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Which rows of a long list are near enough to be drawn, and how high each is, in pixels. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number) {
  const [place, setPlace] = useState(() => ({ top: 0, height: 800, rowHeight: rowHeightNow() }));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const rowHeight = rowHeightNow();
      // In steps of a few rows, so that not every pixel draws again.
      const top = Math.floor(element.scrollTop / (rowHeight * 4)) * rowHeight * 4;
      const height = element.clientHeight;
      setPlace((old) =>
        old.top === top && old.height === height && old.rowHeight === rowHeight
          ? old
          : { top, height, rowHeight },
      );
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    // Another text size of the browser changes both the rows and the table.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [scroller]);
  const { top, height, rowHeight } = place;
  const first = Math.floor(top / rowHeight);
  return {
    from: Math.max(0, Math.min(count, first) - OVERSCAN),
    to: Math.min(count, first + Math.ceil(height / rowHeight) + 4 + OVERSCAN),
    rowHeight,
  };
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

/** Takes the place of rows that are not drawn. */
interface Gap {
  readonly id: string;
  readonly rows: number;
}

export interface DrawnWindow {
  readonly from: number;
  readonly to: number;
  /** Drawn wherever it is. */
  readonly focused: number | undefined;
  readonly count: number;
}

/** The rows of a long list that are drawn, by their indexes, and the gaps around them, in order. */
export function rowsToDraw({ from, to, focused, count }: DrawnWindow): readonly (number | Gap)[] {
  const inSight = Array.from({ length: Math.max(0, to - from) }, (_none, index) => from + index);
  const before = focused !== undefined && focused < from ? [focused] : [];
  const after = focused !== undefined && focused >= to && focused < count ? [focused] : [];
  const drawn = [...before, ...inSight, ...after];
  const withGaps = drawn.flatMap((row, index) => {
    const skipped = row - ((drawn[index - 1] ?? -1) + 1);
    return skipped > 0 ? [{ id: `gap-before-${index === 0 ? 'all' : row}`, rows: skipped }, row] : [row];
  });
  const rest = count - ((drawn.at(-1) ?? -1) + 1);
  return rest > 0 ? [...withGaps, { id: 'gap-at-end', rows: rest }] : withGaps;
}
