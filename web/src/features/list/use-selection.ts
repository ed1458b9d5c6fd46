import { useCallback, useMemo, useState } from 'react';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** More at once would keep the service, and whoever waits, busy for minutes. */
export const MOST_SELECTED = 200;
/** The id of the box that has all, from where the keyboard goes on when none is left. */
export const SELECT_ALL = 'select-all';

export type Selection = ReturnType<typeof useSelection>;

interface Chosen {
  readonly secret: SecretSummary;
  /** Which part of a long list had it. */
  readonly query: string;
}

/**
 * The Secrets that are chosen for one action. One that the list loses is no longer chosen, unless another part of
 * a long list is shown by now.
 * @param query which part of a long list is shown
 */
export function useSelection(secrets: readonly SecretSummary[], query: string) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const byName = useMemo(
    () => new Map(chosen.size === 0 ? [] : secrets.map((secret) => [secret.name, secret])),
    [secrets, chosen.size],
  );
  const selected = useMemo(
    () =>
      [...chosen].flatMap(([name, { secret, query: had }]) => {
        const current = byName.get(name);
        if (current !== undefined) return [current];
        return had === query ? [] : [secret];
      }),
    [chosen, byName, query],
  );
  const names = useMemo(() => new Set(selected.map(({ name }) => name)), [selected]);
  // What is gone is not chosen again when it comes back, as after "Undo".
  if (names.size < chosen.size) setChosen(new Map([...chosen].filter(([name]) => names.has(name))));
  const toggle = useCallback(
    (secret: SecretSummary) => {
      setChosen((old) => {
        const next = new Map(old);
        if (!next.delete(secret.name) && next.size < MOST_SELECTED) next.set(secret.name, { secret, query });
        return next;
      });
    },
    [query],
  );
  const selectOnly = useCallback(
    (only: readonly SecretSummary[]) => {
      setChosen(new Map(only.slice(0, MOST_SELECTED).map((secret) => [secret.name, { secret, query }])));
    },
    [query],
  );
  return { names, selected, toggle, selectOnly };
}
