import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useMe } from '../api/queries.ts';
import type { SecretRef } from '../api/secrets-api.ts';
import { NO_PLACES, placesFrom, withNamespace, withSecret, withStarToggled, type Places } from './places.ts';

const CHANGED = 'places-changed';

/** Stars and recent places of the user, kept in this browser, apart from those of everyone else who signs in here. */
export function usePlaces() {
  const sub = useMe().data?.sub;
  const key = sub === undefined ? undefined : `places:${sub}`;
  const read = useCallback(() => (key === undefined ? null : localStorage.getItem(key)), [key]);
  const text = useSyncExternalStore(subscribe, read);
  const places = useMemo(() => (text === null ? NO_PLACES : placesFrom(text)), [text]);
  const change = useCallback(
    (next: (places: Places) => Places) => {
      if (key === undefined) return;
      const old = localStorage.getItem(key);
      const changed = JSON.stringify(next(placesFrom(old)));
      if (changed === old) return;
      localStorage.setItem(key, changed);
      window.dispatchEvent(new Event(CHANGED));
    },
    [key],
  );
  const visitNamespace = useCallback(
    (namespace: string) => change((old) => withNamespace(old, namespace)),
    [change],
  );
  const visitSecret = useCallback((ref: SecretRef) => change((old) => withSecret(old, ref)), [change]);
  const toggleStar = useCallback(
    (namespace: string) => change((old) => withStarToggled(old, namespace)),
    [change],
  );
  return { places, visitNamespace, visitSecret, toggleStar };
}

/** Other tabs change the storage, too. */
function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener('storage', listener);
  };
}
