import { useEffect, useState } from 'react';

/** False while something is drawn for the first time: PatternFly places only menus that open after that. */
export function useMounted(): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setMounted(true));
    return () => window.clearTimeout(timer);
  }, []);
  return isMounted;
}
