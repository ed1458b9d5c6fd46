import { useLayoutEffect, useState, useSyncExternalStore, type FocusEvent, type RefObject } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** Rows beyond both edges, so that the keyboard finds the next one before it is scrolled to. */
const OVERSCAN = 6;

/** Which rows of a long list are near enough to be drawn; every row is `rowHeight` pixels high. */
export function useWindow(scroller: RefObject<HTMLElement | null>, count: number, rowHeight: number) {
  const [place, setPlace] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      // In steps of a few rows, so that not every pixel draws again.
      const top = Math.floor(element.scrollTop / (rowHeight * 4)) * rowHeight * 4;
      const height = element.clientHeight;
      setPlace((old) => (old.top === top && old.height === height ? old : { top, height }));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [scroller, rowHeight]);
  const first = Math.floor(place.top / rowHeight);
  return {
    from: Math.max(0, Math.min(count, first) - OVERSCAN),
    to: Math.min(count, first + Math.ceil(place.height / rowHeight) + 4 + OVERSCAN),
  };
}

/** As the style sheet has it, in units of the text size. */
const ROW_REM = 2.625;

/** The height of a row in pixels, which grows with the text size of the browser. */
export function useRowHeight(): number {
  return useSyncExternalStore(onResize, rowHeight);
}

function rowHeight(): number {
  return ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
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
