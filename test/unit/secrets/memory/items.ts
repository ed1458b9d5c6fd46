import type { CachedState, LiveReason } from '../../../../src/secrets/list-cache.ts';
import type { ListItem } from '../../../../src/secrets/list-item.ts';

export interface GivenItem extends Partial<Omit<ListItem, 'json'>> {
  readonly keys?: readonly string[];
  readonly type?: string;
  readonly description?: string;
  readonly lastModifiedAt?: string;
}

export function itemOf(name: string, given: GivenItem = {}): ListItem {
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
    json: JSON.stringify({ namespace, name, type, keys, description, creationTimestamp, lastModifiedAt }),
  };
}

/** A cache that holds what the test gives it, and counts its states. */
export interface GivenCache {
  items: readonly ListItem[];
  reason: LiveReason | undefined;
  state(namespace: string, known: number | undefined): Promise<CachedState | LiveReason>;
}

export function givenCache(items: readonly ListItem[] = []): GivenCache {
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
