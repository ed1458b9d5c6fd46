import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { useMe } from '../api/queries.ts';
import type { SecretRef } from '../api/secrets-api.ts';
import {
  isSecret,
  NO_PLACES,
  placesFrom,
  withNamespace,
  withoutRecent,
  withPlainToggled,
  withSecret,
  withSecretStarToggled,
  withStarToggled,
  plainKeysOf,
  type KeyRef,
  type Places,
} from './places.ts';

const CHANGED = 'places-changed';
const PREFIX = 'places:';

/** Forgets the recent places of everyone who is not signed in. @param except the key of the one who is */
export function forgetRecentPlaces(except?: string): void {
  for (const key of Object.keys(localStorage)) {
    if (!key.startsWith(PREFIX) || key === except) continue;
    localStorage.setItem(key, JSON.stringify(withoutRecent(placesFrom(localStorage.getItem(key)))));
  }
  window.dispatchEvent(new Event(CHANGED));
}

/** Stars and recent places of the user, kept in this browser, apart from those of everyone else who signs in here. */
export function usePlaces() {
  const sub = useMe().data?.sub;
  const key = sub === undefined ? undefined : `${PREFIX}${sub}`;
  const read = useCallback(() => (key === undefined ? null : localStorage.getItem(key)), [key]);
  const text = useSyncExternalStore(subscribe, read);
  // Someone else's session may have ended without their signing out.
  useEffect(() => {
    if (key !== undefined) forgetRecentPlaces(key);
  }, [key]);
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
  const changes = useMemo(
    () => ({
      visitNamespace: (namespace: string) => change((old) => withNamespace(old, namespace)),
      visitSecret: (ref: SecretRef) => change((old) => withSecret(old, ref)),
      togglePlain: (ref: KeyRef) => change((old) => withPlainToggled(old, ref)),
      toggleStar: (namespace: string) => change((old) => withStarToggled(old, namespace)),
      toggleSecretStar: (ref: SecretRef) => change((old) => withSecretStarToggled(old, ref)),
    }),
    [change],
  );
  return { places, ...changes };
}

/** The star of a Secret: whether it is there, and what changes that. */
export function useSecretStar(secret: SecretRef) {
  const { places, toggleSecretStar } = usePlaces();
  const isStarred = places.starredSecrets.some(isSecret(secret));
  const label = `${isStarred ? 'Unstar' : 'Star'} ${secret.name}`;
  return { isStarred, label, toggle: () => toggleSecretStar(secret) };
}

/** The keys of a Secret that are shown without a mask in this browser. */
export function usePlainKeys({ namespace, name }: SecretRef) {
  const { places, togglePlain } = usePlaces();
  const keys = useMemo(() => plainKeysOf(places, { namespace, name }), [places, namespace, name]);
  const toggle = useCallback(
    (key: string) => togglePlain({ namespace, name, key }),
    [togglePlain, namespace, name],
  );
  return { keys, toggle };
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
