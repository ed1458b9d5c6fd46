import { useEffect, useState } from 'react';

/** A state that goes by itself. */
export function useFading<Value>(afterMs: number) {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    if (value === undefined) return;
    const timer = window.setTimeout(() => setValue(undefined), afterMs);
    return () => window.clearTimeout(timer);
  }, [value, afterMs]);
  return [value, setValue] as const;
}
