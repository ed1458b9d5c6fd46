import { useState } from 'react';
import type { KeySelection } from '../../ui/key-changes.tsx';

/** Which keys a reviewed write is for: at first all. */
export function useKeySelection(label: string): KeySelection {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  return {
    label,
    has: (key) => !left.has(key),
    toggle: (key) =>
      setLeft((old) => new Set(old.has(key) ? [...old].filter((one) => one !== key) : [...old, key])),
  };
}
