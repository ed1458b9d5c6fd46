import { useEffect, useRef, type RefObject } from 'react';

/** The draft that the form holds now, for a write that ends later; undefined after the form is closed. */
export function useCurrentDraft<Draft>(draft: Draft): RefObject<Draft | undefined> {
  const current = useRef<Draft>(undefined);
  useEffect(() => {
    current.current = draft;
    return () => {
      current.current = undefined;
    };
  }, [draft]);
  return current;
}
