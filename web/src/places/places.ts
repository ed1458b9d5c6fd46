import type { SecretRef } from '../api/secrets-api.ts';

/** Where someone goes often; names alone, and only in their own browser. */
export interface Places {
  readonly starred: readonly string[];
  /** Latest first. */
  readonly recentNamespaces: readonly string[];
  readonly recentSecrets: readonly SecretRef[];
  /** Keys whose values need no mask, the latest last. */
  readonly plainKeys: readonly KeyRef[];
}

export type KeyRef = SecretRef & { readonly key: string };

export const NO_PLACES: Places = { starred: [], recentNamespaces: [], recentSecrets: [], plainKeys: [] };

const MAX_STARRED = 50;
const MAX_PLAIN_KEYS = 200;
const MAX_RECENT = 6;

/** @param text what the storage holds, which may be anything */
export function placesFrom(text: string | null): Places {
  const { starred, recentNamespaces, recentSecrets, plainKeys } = objectFrom(text);
  return {
    starred: listOf(starred, isText).slice(0, MAX_STARRED),
    recentNamespaces: listOf(recentNamespaces, isText).slice(0, MAX_RECENT),
    recentSecrets: listOf(recentSecrets, isRef)
      .slice(0, MAX_RECENT)
      .map(({ namespace, name }) => ({ namespace, name })),
    plainKeys: listOf(plainKeys, isKeyRef)
      .slice(-MAX_PLAIN_KEYS)
      .map(({ namespace, name, key }) => ({ namespace, name, key })),
  };
}

export function withStarToggled(places: Places, namespace: string): Places {
  const others = places.starred.filter((one) => one !== namespace);
  const isStarred = others.length < places.starred.length;
  return { ...places, starred: isStarred ? others : [...others, namespace].slice(-MAX_STARRED) };
}

export function withNamespace(places: Places, namespace: string): Places {
  const others = places.recentNamespaces.filter((one) => one !== namespace);
  return { ...places, recentNamespaces: [namespace, ...others].slice(0, MAX_RECENT) };
}

export function withSecret(places: Places, { namespace, name }: SecretRef): Places {
  const others = places.recentSecrets.filter((one) => one.namespace !== namespace || one.name !== name);
  return { ...places, recentSecrets: [{ namespace, name }, ...others].slice(0, MAX_RECENT) };
}

export function plainKeysOf({ plainKeys }: Places, { namespace, name }: SecretRef): ReadonlySet<string> {
  const those = plainKeys.filter((one) => one.namespace === namespace && one.name === name);
  return new Set(those.map(({ key }) => key));
}

export function withPlainToggled(places: Places, { namespace, name, key }: KeyRef): Places {
  const isOther = (one: KeyRef) => one.namespace !== namespace || one.name !== name || one.key !== key;
  const others = places.plainKeys.filter(isOther);
  const isPlain = others.length < places.plainKeys.length;
  const plainKeys = isPlain ? others : [...others, { namespace, name, key }].slice(-MAX_PLAIN_KEYS);
  return { ...places, plainKeys };
}

/** What is left of them when someone signs out: stars and plain keys, which they chose to keep. */
export function withoutRecent({ starred, plainKeys }: Places): Places {
  return { ...NO_PLACES, starred, plainKeys };
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

function isText(item: unknown): item is string {
  return typeof item === 'string';
}

function isRef(item: unknown): item is SecretRef {
  if (typeof item !== 'object' || item === null) return false;
  return 'namespace' in item && 'name' in item && isText(item.namespace) && isText(item.name);
}

function isKeyRef(item: unknown): item is KeyRef {
  return isRef(item) && 'key' in item && isText(item.key);
}
