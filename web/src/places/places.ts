import type { SecretRef } from '../api/secrets-api.ts';

/** Where someone goes often; names alone, and only in their own browser. */
export interface Places {
  /** Namespaces. */
  readonly starred: readonly string[];
  readonly starredSecrets: readonly SecretRef[];
  /** Latest first. */
  readonly recentNamespaces: readonly string[];
  readonly recentSecrets: readonly SecretRef[];
  /** Keys whose values need no mask, the latest last. */
  readonly plainKeys: readonly KeyRef[];
}

export type KeyRef = SecretRef & { readonly key: string };

export const NO_PLACES: Places = {
  starred: [],
  starredSecrets: [],
  recentNamespaces: [],
  recentSecrets: [],
  plainKeys: [],
};

/** Of namespaces, and of Secrets. */
const MAX_STARRED = 50;
const MAX_PLAIN_KEYS = 200;
const MAX_RECENT = 6;

/** @param text what the storage holds, which may be anything */
export function placesFrom(text: string | null): Places {
  const { starred, starredSecrets, recentNamespaces, recentSecrets, plainKeys } = objectFrom(text);
  return {
    starred: listOf(starred, isText).slice(0, MAX_STARRED),
    starredSecrets: refsOf(starredSecrets, MAX_STARRED),
    recentNamespaces: listOf(recentNamespaces, isText).slice(0, MAX_RECENT),
    recentSecrets: refsOf(recentSecrets, MAX_RECENT),
    plainKeys: listOf(plainKeys, isKeyRef)
      .slice(-MAX_PLAIN_KEYS)
      .map(({ namespace, name, key }) => ({ namespace, name, key })),
  };
}

export function withStarToggled(places: Places, namespace: string): Places {
  const starred = toggled(places.starred, namespace, (one) => one === namespace);
  return { ...places, starred: starred.slice(-MAX_STARRED) };
}

export function withSecretStarToggled(places: Places, { namespace, name }: SecretRef): Places {
  const secret = { namespace, name };
  const starredSecrets = toggled(places.starredSecrets, secret, isSecret(secret));
  return { ...places, starredSecrets: starredSecrets.slice(-MAX_STARRED) };
}

/** Without an item that is there, or with one that is not, as the last of them. */
function toggled<Item>(items: readonly Item[], item: Item, isIt: (one: Item) => boolean): readonly Item[] {
  return items.some(isIt) ? items.filter((one) => !isIt(one)) : [...items, item];
}

export const isSecret =
  ({ namespace, name }: SecretRef) =>
  (one: SecretRef): boolean =>
    one.namespace === namespace && one.name === name;

export function withNamespace(places: Places, namespace: string): Places {
  const others = places.recentNamespaces.filter((one) => one !== namespace);
  return { ...places, recentNamespaces: [namespace, ...others].slice(0, MAX_RECENT) };
}

export function withSecret(places: Places, { namespace, name }: SecretRef): Places {
  const secret = { namespace, name };
  const others = places.recentSecrets.filter((one) => !isSecret(secret)(one));
  return { ...places, recentSecrets: [secret, ...others].slice(0, MAX_RECENT) };
}

export function plainKeysOf({ plainKeys }: Places, secret: SecretRef): ReadonlySet<string> {
  return new Set(plainKeys.filter(isSecret(secret)).map(({ key }) => key));
}

export function withPlainToggled(places: Places, { namespace, name, key }: KeyRef): Places {
  const plain = { namespace, name, key };
  const isIt = (one: KeyRef) => isSecret(plain)(one) && one.key === key;
  return { ...places, plainKeys: toggled(places.plainKeys, plain, isIt).slice(-MAX_PLAIN_KEYS) };
}

/** What is left of them when someone signs out: stars and plain keys, which they chose to keep. */
export function withoutRecent({ starred, starredSecrets, plainKeys }: Places): Places {
  return { ...NO_PLACES, starred, starredSecrets, plainKeys };
}

/** Stars first, then what was opened last, then the rest in their order. */
export function inOrderOfUse(
  names: readonly string[],
  { starred, recentNamespaces }: Places,
): readonly string[] {
  const existing = new Set(names);
  const first = [...starred].sort().concat(recentNamespaces);
  return [...new Set([...first.filter((name) => existing.has(name)), ...names])];
}

function objectFrom(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // written by something else; the next visit replaces it
  }
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? value.filter(is) : [];
}

function refsOf(value: unknown, most: number): readonly SecretRef[] {
  const refs = listOf(value, isRef).slice(0, most);
  return refs.map(({ namespace, name }) => ({ namespace, name }));
}

const isText = (item: unknown): item is string => typeof item === 'string';

function isRef(item: unknown): item is SecretRef {
  if (typeof item !== 'object' || item === null) return false;
  return 'namespace' in item && 'name' in item && isText(item.namespace) && isText(item.name);
}

const isKeyRef = (item: unknown): item is KeyRef => isRef(item) && 'key' in item && isText(item.key);
