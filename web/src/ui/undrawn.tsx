import { type RefObject, useEffect, useRef, useState } from 'react';

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

/** As many lines fill most windows. */
const FIRST = 25;
/** Takes a fraction of the time after which a page feels slow. */
const STEP = 15;
/** More are drawn when someone scrolls to them: each one that is there makes every later change of the page slower. */
const UNPROMPTED = 300;
/** Before they come into sight. */
const NEAR = '1000px 0px';

/**
 * Which of many items are drawn: a window's worth at once, hundreds more in steps between which the page responds, and
 * all others when they are about to come into sight. What is drawn stays drawn, with what was typed into it. A new last item is
 * drawn at once, to have the focus.
 */
export function useDrawn<Item, Place extends HTMLElement = HTMLLIElement>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
) {
  const [initial] = useState(() => new Set(items.map(keyOf)));
  const [known, setKnown] = useState<ReadonlySet<string | number>>(() => new Set());
  const rest = useRef<Place>(null);
  let budget = known.size === 0 ? FIRST : STEP;
  const drawn = items.filter((item, index) => {
    const key = keyOf(item);
    if (known.has(key) || (index === items.length - 1 && !initial.has(key))) return true;
    budget -= 1;
    return budget >= 0;
  });
  const isSettled = drawn.length === known.size && drawn.every((item) => known.has(keyOf(item)));
  useEffect(() => {
    if (isSettled) return;
    const goOn = () => setKnown(new Set(drawn.map(keyOf)));
    if (rest.current === null || drawn.length <= UNPROMPTED) {
      const timer = window.setTimeout(goOn);
      return () => window.clearTimeout(timer);
    }
    return whenNear(rest.current, goOn);
  });
  // The place of those that are not drawn yet is kept by an element of its own.
  return { drawn, undrawn: items.length - drawn.length, rest };
}

function whenNear(element: HTMLElement, then: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) then();
    },
    { rootMargin: NEAR, scrollMargin: NEAR },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
