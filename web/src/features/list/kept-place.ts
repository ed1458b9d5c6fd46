/** How far a list was scrolled, in pixels, so that the way back leads to the same rows; its filters are in the address. */
export interface KeptPlace {
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

function top(pixels: unknown): number {
  return typeof pixels === 'number' && pixels > 0 ? pixels : 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
