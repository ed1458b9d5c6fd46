import type { ListItem } from '../secrets/list-item.ts';

type AccessRules = ListItem['rules'];

/** Makes equal values of many Secrets one value in memory. */
export interface SharedValues {
  text(text: string): string;
  rules(rules: AccessRules): AccessRules;
}

/** @param most values are remembered; further ones stay as they are */
export function createSharedValues(most: number): SharedValues {
  const texts = new Map<string, string>();
  const rules = new Map<string, AccessRules>();
  return {
    text: (text) => shared(texts, text, text, most),
    rules: (one) => {
      const { allowedGroups, allowedUsers } = one;
      return shared(rules, JSON.stringify([allowedGroups, allowedUsers]), one, most);
    },
  };
}

function shared<Value>(known: Map<string, Value>, key: string, value: Value, most: number): Value {
  const first = known.get(key);
  if (first !== undefined) return first;
  if (known.size < most) known.set(key, value);
  return value;
}
