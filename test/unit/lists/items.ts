import { keyedRules, type AccessRules } from '../../../src/contract/access-rules.ts';
import { searchText } from '../../../src/contract/search-text.ts';
import type { CachedState, LiveReason } from '../../../src/lists/list-cache.ts';
import type { ListItem } from '../../../src/lists/list-item.ts';

export interface GivenItem extends Partial<Omit<ListItem, 'json' | 'text' | 'changedMs' | 'rules'>> {
  readonly keys?: readonly string[];
  readonly description?: string;
  readonly lastModifiedAt?: string;
  readonly rules?: AccessRules;
}

export function itemOf(name: string, given: GivenItem = {}): ListItem {
  const { keys = [], description = '', lastModifiedAt, type = 'Opaque', rules, ...item } = given;
  const namespace = item.namespace ?? 'ns';
  const creationTimestamp = '2026-01-01T00:00:00Z';
  return {
    namespace,
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    managed: true,
    expiries: undefined,
    ...item,
    rules: keyedRules(rules ?? { allowedGroups: [], allowedUsers: [] }),
    type,
    text: searchText([name, ...keys, description].join('\n')),
    changedMs: Date.parse(lastModifiedAt ?? creationTimestamp),
    json: JSON.stringify({ namespace, name, type, keys, description, creationTimestamp, lastModifiedAt }),
  };
}

/** A cache that holds what the test gives it, and counts its states. */
export interface GivenCache {
  items: readonly ListItem[];
  reason: LiveReason | 'memory' | undefined;
  /** How often its items were taken. */
  taken: number;
  state(namespace: string): Promise<CachedState | LiveReason | 'memory'>;
  onChange(listener: (namespace: string, removedBytes: number) => void): void;
  /** What the watch does with each change. */
  change(namespace: string, removedBytes: number): void;
}

export function givenCache(items: readonly ListItem[] = []): GivenCache {
  let [version, last] = [1, items];
  const listeners: ((namespace: string, removedBytes: number) => void)[] = [];
  return {
    items,
    reason: undefined,
    taken: 0,
    state() {
      if (this.reason !== undefined) return Promise.resolve(this.reason);
      if (last !== this.items) version++;
      last = this.items;
      const take = (): readonly ListItem[] => {
        this.taken++;
        return this.items;
      };
      return Promise.resolve({ version, count: this.items.length, items: take, ageMs: 0 });
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    change(namespace, removedBytes) {
      for (const listener of listeners) listener(namespace, removedBytes);
    },
  };
}
