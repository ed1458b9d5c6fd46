import { useCallback, useLayoutEffect, useRef } from 'react';

type Find = () => HTMLElement | null | undefined;

/** Moves the focus once the change that is about to be made is drawn: to what is found by then. */
export function useFocusNext(): (find: Find) => void {
  const next = useRef<Find>(undefined);
  useLayoutEffect(() => {
    next.current?.()?.focus();
    next.current = undefined;
  });
  return useCallback((find) => {
    next.current = find;
  }, []);
}
