import { useLayoutEffect, useRef, useState } from 'react';

/** A masked field is passed over: what someone still types there would replace the value. */
const FIRST = 'textarea, .value-open input, button';

/** Moves the focus to the first thing in a place when what had it there is replaced, as `view` says. */
export function useFocusKept(view: string) {
  const place = useRef<HTMLDivElement>(null);
  const within = useRef(false);
  const [keepFocus] = useState(() => () => {
    within.current = place.current?.contains(document.activeElement) ?? false;
  });
  useLayoutEffect(() => {
    if (within.current) place.current?.querySelector<HTMLElement>(FIRST)?.focus();
    within.current = false;
  }, [view]);
  return { place, keepFocus };
}
