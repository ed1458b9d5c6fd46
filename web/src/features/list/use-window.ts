import { useLayoutEffect, useState, type RefObject } from 'react';

/** Rows beyond both edges, so that the keyboard finds the next one before it is scrolled to. */
const OVERSCAN = 10;

export interface RowWindow {
  readonly from: number;
  readonly to: number;
}

/** Which rows of a long list are near enough to be drawn; every row is `rowHeight` pixels high. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
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
