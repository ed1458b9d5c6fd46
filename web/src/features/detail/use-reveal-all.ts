import { useCallback, useState } from 'react';
import { useReveal } from '../../ui/use-reveal.ts';

export interface RevealAll {
  readonly shown: boolean;
  readonly toggle: () => void;
  /** Whether a key is shown because all are. */
  readonly shows: (key: string) => boolean;
  /** Hides one key while the others stay; the function stays the same. */
  readonly hide: (key: string) => void;
}

/** All values at once, for as long as a single one would be shown. */
export function useRevealAll(): RevealAll {
  const { shown, toggle } = useReveal();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const hide = useCallback((key: string) => setHidden((before) => new Set(before).add(key)), []);
  return {
    shown,
    toggle: () => {
      setHidden(new Set());
      toggle();
    },
    shows: (key) => shown && !hidden.has(key),
    hide,
  };
}
