import { COLUMNS, MANAGED, WHOLE_LIST, type View } from './list-view.ts';

/** How a list was looked at, so that the way back leads to it again; names, types and an order, no values. */
export interface KeptView {
  readonly view: View;
  /** How far the table was scrolled, and how far the screen, in pixels. */
  readonly tableTop: number;
  readonly screenTop: number;
}

const KEY = 'list';

/** @param state of an entry of the browser's history, which may hold anything */
export function keptView(state: unknown): KeptView {
  const kept = isObject(state) && isObject(state[KEY]) ? state[KEY] : {};
  const { view = {}, tableTop, screenTop } = kept;
  return { view: viewFrom(isObject(view) ? view : {}), tableTop: top(tableTop), screenTop: top(screenTop) };
}

/** The state with the view in it; what others keep there stays. */
export function withKeptView(state: unknown, kept: KeptView): Readonly<Record<string, unknown>> {
  return { ...(isObject(state) ? state : {}), [KEY]: kept };
}

function viewFrom({ text, type, managed, sort, descending }: Readonly<Record<string, unknown>>): View {
  return {
    text: typeof text === 'string' ? text : WHOLE_LIST.text,
    type: typeof type === 'string' ? type : WHOLE_LIST.type,
    managed: MANAGED.find((one) => one === managed) ?? WHOLE_LIST.managed,
    sort: COLUMNS.find((one) => one === sort) ?? WHOLE_LIST.sort,
    descending: descending === true,
  };
}

function top(pixels: unknown): number {
  return typeof pixels === 'number' && pixels > 0 ? pixels : 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
