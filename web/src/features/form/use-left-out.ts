import { useState } from 'react';

/** The keys that a reviewed write leaves as they are. */
export function useLeftOut() {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setLeft((old) => new Set(old.has(key) ? [...old].filter((one) => one !== key) : [...old, key]));
  return { left, toggle };
}
