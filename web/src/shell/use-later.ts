import { useEffect, useState } from 'react';

/** False for a while: what comes first is not held up. */
export function useLater(afterMs: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLater(true), afterMs);
    return () => window.clearTimeout(timer);
  }, [afterMs]);
  return isLater;
}
