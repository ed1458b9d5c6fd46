import { useEffect, useRef, type RefObject } from 'react';

/** The draft that is on the screen at the moment; undefined once the form has gone. */
export function useOnScreen<Shown>(draft: Shown): RefObject<Shown | undefined> {
  const onScreen = useRef<Shown>(undefined);
  useEffect(() => {
    onScreen.current = draft;
    return () => {
      onScreen.current = undefined;
    };
  }, [draft]);
  return onScreen;
}
