import type { ListAccess } from '../access/authorizer.ts';
import { searchText } from '../contract/search-text.ts';
import { RULE_LISTS } from '../contract/access-rules.ts';
import { createEventLoopYielder, type EventLoopYielder } from '../timing/event-loop-yielder.ts';
import type { ListItem } from './list-item.ts';

export interface Wanted {
  /** As `searchText`; each must occur in the name, a key name or the description. */
  readonly words: readonly string[];
  readonly isVisible: (item: ListItem) => boolean;
}

/** Characters that are looked through between two looks at the clock, about a millisecond at worst. */
const STRETCH = 65_536;
/** What an item costs besides its texts, in characters. */
const ITEM = 256;
const ENTRY = 16;

/** Calls `take` with each item that is visible and has the words. Works in slices, however much an item or a word costs. */
export async function eachMatch(
  items: Iterable<ListItem>,
  { words, isVisible }: Wanted,
  take: (item: ListItem) => void,
  yielder: EventLoopYielder = createEventLoopYielder(),
): Promise<void> {
  let cost = 0;
  for (const item of items) {
    cost += costOf(item, words.length);
    if (cost > STRETCH) {
      cost = 0;
      if (yielder.isDue()) await yielder.yieldNow();
    }
    if (!isVisible(item)) continue;
    const isLong = item.text.length > STRETCH;
    const hasAll = isLong
      ? await hasWordsInSlices(item, words, yielder)
      : words.every((word) => item.text.includes(word));
    if (hasAll) take(item);
  }
}

function costOf({ text, rules }: ListItem, words: number): number {
  let entries = 0;
  for (const list of RULE_LISTS) entries += rules[list]?.length ?? 0;
  return ITEM + words * text.length + ENTRY * entries;
}

async function hasWordsInSlices({ text }: ListItem, words: readonly string[], yielder: EventLoopYielder) {
  for (const word of words) {
    if (yielder.isDue()) await yielder.yieldNow();
    if (!text.includes(word)) return false;
  }
  return true;
}

/** Characters of the summaries in one response, beyond the first. Descriptions may be long. */
const MAX_TEXT = 4 * 1_024 * 1_024;

/** The first of the items, as far as their summaries fit into one response. */
export function withinText(items: readonly ListItem[]): readonly ListItem[] {
  let text = 0;
  for (const [index, { json }] of items.entries()) {
    text += json.length;
    if (index > 0 && text > MAX_TEXT) return items.slice(0, index);
  }
  return items;
}

/** Decides for lists, pages and searches alike whether someone sees an item. */
export function visibilityOf(
  access: Pick<ListAccess, 'isVisible'>,
  managedOnly: boolean,
): (item: ListItem) => boolean {
  return ({ rules, managed, name }) => (managed || !managedOnly) && access.isVisible(rules, name);
}

/** The words of a query as {@link searchText}, each once. */
export const wordsOf = (query: string) => [...new Set(searchText(query).split(/\s+/))].filter(Boolean);

/** Those that must be looked for: a word that is part of another one occurs wherever that one does. */
export function wordsToFind(words: readonly string[]): readonly string[] {
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
}
