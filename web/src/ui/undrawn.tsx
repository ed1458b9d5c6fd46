import type { RefObject } from 'react';

export interface UndrawnProps {
  readonly place: RefObject<HTMLLIElement | null>;
  readonly count: number;
  /** The height of one, in units of the text size. */
  readonly rem: number;
}

/** The place of the lines of a list that are not drawn yet, so that what is below stays where it is. */
export function Undrawn({ place, count, rem }: UndrawnProps) {
  if (count === 0) return null;
  return <li ref={place} aria-hidden="true" style={{ height: `${count * rem}rem` }} />;
}
