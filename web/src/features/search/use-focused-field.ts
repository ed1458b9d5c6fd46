import { useEffect, useRef, type RefObject } from 'react';

/** A dialog takes the focus when it opens; its field has it a moment later. */
export function useFocusedField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      field.current?.focus();
      field.current?.select();
    });
    return () => window.clearTimeout(timer);
  }, []);
  return field;
}
