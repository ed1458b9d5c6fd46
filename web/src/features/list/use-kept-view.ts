import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';
import { isObject } from '../../../../src/contract/json-text.ts';
import { COLUMNS, FILTER_NAMES, FILTERS, WHOLE_LIST, type View } from './list-view.ts';

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
const screen = (): HTMLElement | null => document.getElementById('main');

/** How far a list was scrolled, in pixels, so that the way back leads to the same rows; its filters are in the address. */
interface KeptPlace {
  readonly tableTop: number;
  readonly screenTop: number;
}

const KEY = 'list';

/** @param state of an entry of the browser's history, which may hold anything */
export function keptPlace(state: unknown): KeptPlace {
  const { tableTop, screenTop } = isObject(state) && isObject(state[KEY]) ? state[KEY] : {};
  return { tableTop: top(tableTop), screenTop: top(screenTop) };
}

/** The state with the place in it; what others keep there stays. */
export function withKeptPlace(state: unknown, kept: KeptPlace): Readonly<Record<string, unknown>> {
  return { ...(isObject(state) ? state : {}), [KEY]: kept };
}

const top = (pixels: unknown): number => (typeof pixels === 'number' && pixels > 0 ? pixels : 0);

/** The view that an address names; whatever it does not name, or names wrongly, is as in the whole list. */
export function viewFrom(search: string): View {
  const query = new URLSearchParams(search);
  const chosen = FILTER_NAMES.map((name) => [name, query.get(name) ?? ''] as const);
  const filters = Object.fromEntries(chosen.filter(([name, value]) => Object.hasOwn(FILTERS[name], value)));
  const order = query.get('sort') ?? '';
  const descending = order.startsWith('-');
  return {
    ...WHOLE_LIST,
    text: query.get('q') ?? WHOLE_LIST.text,
    type: query.get('type') ?? WHOLE_LIST.type,
    ...(filters as Partial<View>),
    sort: COLUMNS.find((one) => one === order.replace('-', '')) ?? WHOLE_LIST.sort,
    descending,
  };
}

/** The end of the address of a view, with its `?`; empty for the whole list. */
export function searchOf(view: View): string {
  const { text, type, sort, descending } = view;
  const query = new URLSearchParams();
  const order = `${descending ? '-' : ''}${sort}`;
  if (text !== WHOLE_LIST.text) query.set('q', text);
  if (type !== WHOLE_LIST.type) query.set('type', type);
  for (const name of FILTER_NAMES) if (view[name] !== WHOLE_LIST[name]) query.set(name, view[name]);
  if (order !== WHOLE_LIST.sort) query.set('sort', order);
  const search = query.toString();
  return search === '' ? '' : `?${search}`;
}
