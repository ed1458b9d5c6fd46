import { useEffect, useRef, type RefObject } from 'react';

/** What a component has now, for work that ends later; undefined once the component is gone. */
export function useCurrent<Value>(value: Value): RefObject<Value | undefined> {
  const current = useRef<Value>(undefined);
  useEffect(() => {
    current.current = value;
    return () => {
      current.current = undefined;
    };
  }, [value]);
  return current;
}
