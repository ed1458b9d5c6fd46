import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';
import { keptPlace, withKeptPlace } from './kept-place.ts';
import type { View } from './list-view.ts';
import { searchOf, viewFrom } from './view-address.ts';

/** Browsers refuse to note every keystroke and every pixel. */
const SETTLED_MS = 400;

/**
 * The view of a list, kept in its address, and how far it is scrolled, kept in its entry of the browser's history: Back
 * from a Secret leads to the same rows, and so does a reload.
 * @param scroller the table
 */
export function useKeptView(scroller: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const [kept] = useState(() => keptPlace(window.history.state));
  const [view, setView] = useState<View>(() => viewFrom(window.location.search));
  const timer = useRef(0);
  const keep = useCallback(() => {
    window.clearTimeout(timer.current);
    // The entry is that of the next screen once the address has changed.
    if (window.location.pathname !== pathname) return;
    const [tableTop, screenTop] = [scroller.current?.scrollTop ?? 0, screen()?.scrollTop ?? 0];
    const state = withKeptPlace(window.history.state, { tableTop, screenTop });
    window.history.replaceState(state, '', `${pathname}${searchOf(view)}`);
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
