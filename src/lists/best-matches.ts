import type { ListItem } from './list-item.ts';

type Found = Pick<ListItem, 'namespace' | 'name' | 'json'>;

/** Collects what was found, of any number the first ones: exact names, then prefixes of names, then all others. */
export interface BestMatches {
  readonly add: (found: Found) => void;
  /** The summaries of the first ones in their order, and whether more were found. */
  best(): { readonly json: readonly string[]; readonly more: boolean };
}

interface Ranked {
  readonly found: Found;
  readonly rank: number;
}

/** Characters of the summaries together, beyond the first. Descriptions may be long. */
const MOST_TEXT = 4 * 1_024 * 1_024;

/** @param words in lower case, as names are */
export function createBestMatches(words: readonly string[], limit: number): BestMatches {
  let kept: Ranked[] = [];
  let count = 0;
  const shorten = (): void => {
    kept = kept.sort(inOrder).slice(0, limit);
  };
  return {
    add(found) {
      count++;
      kept.push({ found, rank: rankOf(found.name, words) });
      if (kept.length >= 2 * limit) shorten();
    },
    best() {
      shorten();
      const json: string[] = [];
      let text = 0;
      for (const { found } of kept) {
        text += found.json.length;
        if (json.length === 0 || text <= MOST_TEXT) json.push(found.json);
      }
      return { json, more: json.length < count };
    },
  };
}

function rankOf(name: string, words: readonly string[]): number {
  if (words.includes(name)) return 0;
  return words.some((word) => name.startsWith(word)) ? 1 : 2;
}

/** Equal ranks by name, then by namespace. */
function inOrder(one: Ranked, other: Ranked): number {
  const [first, second] = [one.found, other.found];
  return (
    one.rank - other.rank || compare(first.name, second.name) || compare(first.namespace, second.namespace)
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
