import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import type { ListItem } from '../list-item.ts';
import type { SecretSummary } from '../secret-view.ts';
import { inStepWith } from './in-step.ts';

/** What searching and sorting need of each Secret of a state, by its position. */
export interface ItemFacts {
  /** Name, key names and description in lower case, one on each line. */
  readonly texts: readonly string[];
  readonly types: readonly string[];
  /** When it was last changed, as far as its summary says, in milliseconds since 1970. */
  readonly changed: readonly number[];
}

/** The items of a state, by name, with their facts. */
export interface KnownFacts {
  readonly items: readonly ListItem[];
  readonly facts: ItemFacts;
}

interface Fact {
  readonly text: string;
  readonly type: string;
  readonly changed: number;
}

/** Steps between two looks at the clock. */
const STEPS = 64;

/**
 * Takes the facts from the summaries, in slices. Those of a Secret that has not changed since `former` are reused: in a
 * large namespace almost all are the same from one state to the next.
 * @param items ordered by name
 */
export async function itemFacts(
  items: readonly ListItem[],
  former: KnownFacts | undefined,
): Promise<ItemFacts> {
  const yielder = createEventLoopYielder();
  const [texts, types, changed]: [string[], string[], number[]] = [[], [], []];
  const known = former === undefined ? () => undefined : factsIn(former);
  const sharedTypes = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const fact = known(item) ?? factOf(item);
    const type = sharedTypes.get(fact.type) ?? fact.type;
    sharedTypes.set(type, type);
    texts.push(fact.text);
    types.push(type);
    changed.push(fact.changed);
    if (index % STEPS === 0) await yielder.yieldIfDue();
  }
  return { texts, types, changed };
}

/** The facts of the same revision of an item. */
function factsIn({ items, facts }: KnownFacts): (item: ListItem) => Fact | undefined {
  const find = inStepWith(items);
  return ({ name, uid, resourceVersion }) => {
    const index = find(name) ?? -1;
    const item = items[index];
    const [text, type, changed] = [facts.texts[index], facts.types[index], facts.changed[index]];
    if (item?.uid !== uid || item.resourceVersion !== resourceVersion) return undefined;
    return text === undefined || type === undefined || changed === undefined
      ? undefined
      : { text, type, changed };
  };
}

type Summary = Pick<
  SecretSummary,
  'name' | 'keys' | 'description' | 'type' | 'lastModifiedAt' | 'creationTimestamp'
>;

function factOf({ json }: ListItem): Fact {
  const { name, keys, description, type, lastModifiedAt, creationTimestamp } = JSON.parse(json) as Summary;
  const modified = Date.parse(lastModifiedAt ?? '');
  const changed = Number.isNaN(modified) ? Date.parse(creationTimestamp) : modified;
  return {
    text: [name, ...keys, description].join('\n').toLowerCase(),
    type,
    changed: Number.isNaN(changed) ? 0 : changed,
  };
}
