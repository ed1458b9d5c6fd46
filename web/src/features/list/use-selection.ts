import { useCallback, useMemo, useState } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** More at once would keep the service, and whoever waits, busy for minutes. */
export const MOST_SELECTED = 200;

/** The Secrets that are chosen for one action, among those that the list has. */
export function useSelection(secrets: readonly SecretSummary[]) {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => (names.size === 0 ? [] : secrets.filter(({ name }) => names.has(name))),
    [secrets, names],
  );
  const toggle = useCallback((name: string) => {
    setNames((old) => {
      const next = new Set(old);
      if (!next.delete(name) && next.size < MOST_SELECTED) next.add(name);
      return next;
    });
  }, []);
  const selectOnly = useCallback((chosen: readonly string[]) => {
    setNames(new Set(chosen.slice(0, MOST_SELECTED)));
  }, []);
  return { names, selected, toggle, selectOnly };
}
