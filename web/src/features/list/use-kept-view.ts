import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';
import { keptView, withKeptView } from './kept-view.ts';
import type { View } from './list-view.ts';

/** Browsers refuse to note every keystroke and every pixel. */
const SETTLED_MS = 400;

/**
 * The view of a list, kept in its entry of the browser's history: Back from a Secret leads to the same rows, and
 * so does a reload. Not in the address, which others get to see.
 * @param scroller the table
 */
export function useKeptView(scroller: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const [kept] = useState(() => keptView(window.history.state));
  const [view, setView] = useState<View>(kept.view);
  const timer = useRef(0);
  const keep = useCallback(() => {
    window.clearTimeout(timer.current);
    // The entry is that of the next screen once the address has changed.
    if (window.location.pathname !== pathname) return;
    const [tableTop, screenTop] = [scroller.current?.scrollTop ?? 0, screen()?.scrollTop ?? 0];
    window.history.replaceState(withKeptView(window.history.state, { view, tableTop, screenTop }), '');
  }, [scroller, pathname, view]);
  const keepSoon = useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(keep, SETTLED_MS);
  }, [keep]);
  useEffect(() => {
    keepSoon();
    return () => window.clearTimeout(timer.current);
  }, [keepSoon]);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = kept.tableTop;
    const main = screen();
    if (main !== null) main.scrollTop = kept.screenTop;
  }, [scroller, kept]);
  return { view, setView, keep, keepSoon };
}

/** What scrolls around the table when the window is low. */
function screen(): HTMLElement | null {
  return document.getElementById('main');
}
