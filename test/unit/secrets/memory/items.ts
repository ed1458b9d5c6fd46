import type { CachedState, LiveReason } from '../../../../src/secrets/list-cache.ts';
import type { SearchableItem } from '../../../../src/secrets/list-item.ts';

export interface GivenItem extends Partial<Omit<SearchableItem, 'json' | 'hasWord' | 'changedMs'>> {
  readonly keys?: readonly string[];
  readonly description?: string;
  readonly lastModifiedAt?: string;
}

export function itemOf(name: string, given: GivenItem = {}): SearchableItem {
  const { keys = [], description = '', lastModifiedAt, type = 'Opaque', ...item } = given;
  const namespace = item.namespace ?? 'ns';
  const creationTimestamp = '2026-01-01T00:00:00Z';
  return {
    namespace,
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    rules: { allowedGroups: [], allowedUsers: [] },
    managed: true,
    notAfter: undefined,
    ...item,
    type,
    hasWord: (word) => [name, ...keys, description].join('\n').toLowerCase().includes(word),
    changedMs: () => Date.parse(lastModifiedAt ?? creationTimestamp),
    json: JSON.stringify({ namespace, name, type, keys, description, creationTimestamp, lastModifiedAt }),
  };
}

/** A cache that holds what the test gives it, and counts its states. */
export interface GivenCache {
  items: readonly SearchableItem[];
  reason: LiveReason | undefined;
  state(namespace: string, known: number | undefined): Promise<CachedState | LiveReason>;
}

export function givenCache(items: readonly SearchableItem[] = []): GivenCache {
  let [version, last] = [1, items];
  return {
    items,
    reason: undefined,
    state(_namespace, known) {
      if (this.reason !== undefined) return Promise.resolve(this.reason);
      if (last !== this.items) version++;
      last = this.items;
      return Promise.resolve({ version, items: known === version ? undefined : this.items, ageMs: 0 });
    },
  };
}
