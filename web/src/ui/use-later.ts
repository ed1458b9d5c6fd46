import { useEffect, useState } from 'react';

/** False for a while: what comes first is not held up. */
export function useLater(afterMs = 0): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLater(true), afterMs);
    return () => window.clearTimeout(timer);
  }, [afterMs]);
  return isLater;
}

/** A text once it has not changed for a while. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), afterMs);
    return () => window.clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
