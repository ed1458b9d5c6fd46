import type { AccessRules } from '../contract/access-rules.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { createListBody, type Compress, type ListBody } from './list-body.ts';
import type { ListItem } from './list-item.ts';
import { serializeList } from './serialize-list.ts';

/** Which items of a namespace belong in a response. */
export interface Visibility {
  readonly canCreate: boolean;
  readonly managedOnly: boolean;
  /** Everything that `isVisible` depends on; without it the visible set is decided for each list. */
  readonly key?: string;
  isVisible(rules: AccessRules): boolean;
}

/** Serialized lists, kept for repeated requests. */
export interface ListAnswers {
  /**
   * The serialized list of these items, from now or from an earlier request with the same items and the same visible
   * set. Another array is another state of the namespace, and drops the lists of the previous state.
   */
  answer(namespace: string, items: readonly ListItem[], visibility: Visibility): Promise<ListBody>;
  /** Bytes kept at the moment, compressed copies included. */
  keptBytes(): number;
}

/** Items grouped by the rules that decide who sees them. */
interface Grouping {
  readonly rules: readonly AccessRules[];
  /** The index of each item's rules. */
  readonly places: Uint32Array;
}

/** One namespace in one state. */
interface State {
  /** Weak: the cache alone decides how long items live. */
  readonly items: WeakRef<readonly ListItem[]>;
  readonly grouping: Promise<Grouping>;
  /** By visible set. Concurrent requests share a list that is being serialized. */
  readonly bodies: Map<string, Promise<ListBody>>;
  /** Visible sets, by what they depend on. */
  readonly sets: Map<string, string>;
  bytes: number;
}

/** The memory of a list besides its bytes. */
const OVERHEAD_BYTES = 256;
/** What a visible set begins with: `canCreate` and `managedOnly`. */
const FLAGS = 2;
/** People whose visible set of one state is remembered. */
const MOST_SETS = 1_000;

/**
 * Keeps serialized lists per namespace, state and visible set. The visible set is decided once per distinct rules, not
 * per item, and people with the same access share a list. Beyond `maxBytes` the least recently used namespace is
 * dropped first.
 */
export function createListAnswers(maxBytes: number, compress: Compress): ListAnswers {
  const states = createKeptStates(maxBytes);
  return {
    async answer(namespace, items, visibility) {
      const serialize = (chosen: readonly ListItem[]) =>
        serializeList(namespace, chosen, visibility.canCreate);
      if (items.length === 0) return createListBody(await serialize(items), compress, () => undefined);
      const state = states.of(namespace, items);
      const { rules, places } = await state.grouping;
      const set = await visibleSet(state, rules, visibility, (size) => {
        states.keep(namespace, state, '', size);
      });
      const known = state.bodies.get(set);
      if (known !== undefined) return known;
      const chosen = items.filter(
        ({ managed }, index) =>
          set[FLAGS + (places[index] ?? 0)] === '1' && (managed || !visibility.managedOnly),
      );
      const keepBytes = (size: number): void => {
        if (state.bodies.get(set) === made) states.keep(namespace, state, set, size);
      };
      const made = serialize(chosen).then((plain) => createListBody(plain, compress, keepBytes));
      state.bodies.set(set, made);
      const body = await made;
      keepBytes(body.plain.byteLength + set.length + OVERHEAD_BYTES);
      return body;
    },
    keptBytes: () => states.bytes(),
  };
}

/** The states of namespaces whose lists are kept. */
interface KeptStates {
  /** The state of these items, which replaces a state of other items. */
  of(namespace: string, items: readonly ListItem[]): State;
  /** Counts the bytes of a list that the state keeps, and drops what no longer fits. */
  keep(namespace: string, state: State, set: string, size: number): void;
  bytes(): number;
}

function createKeptStates(maxBytes: number): KeptStates {
  /** The least recently used first. */
  const states = new Map<string, State>();
  let bytes = 0;

  const drop = (namespace: string): void => {
    bytes -= states.get(namespace)?.bytes ?? 0;
    states.delete(namespace);
  };
  return {
    bytes: () => bytes,
    of(namespace, items) {
      const known = states.get(namespace);
      if (known?.items.deref() === items) {
        states.delete(namespace);
        states.set(namespace, known); // Makes it the most recently used.
        return known;
      }
      drop(namespace);
      const state: State = {
        items: new WeakRef(items),
        grouping: grouped(items),
        bodies: new Map(),
        sets: new Map(),
        bytes: items.length * Uint32Array.BYTES_PER_ELEMENT + OVERHEAD_BYTES,
      };
      states.set(namespace, state);
      bytes += state.bytes;
      return state;
    },
    keep(namespace, state, set, size) {
      if (states.get(namespace) !== state) return;
      if (size > maxBytes) {
        state.bodies.delete(set);
        return;
      }
      state.bytes += size;
      bytes += size;
      for (const oldest of states.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest); // At the end this state itself: a single state with many sets starts over.
      }
    },
  };
}

async function grouped(items: readonly ListItem[]): Promise<Grouping> {
  const yielder = createEventLoopYielder();
  const known = new Map<string, number>();
  const rules: AccessRules[] = [];
  const places = new Uint32Array(items.length);
  for (const [index, item] of items.entries()) {
    const key = JSON.stringify([item.rules.allowedGroups, item.rules.allowedUsers]);
    const place = known.get(key) ?? rules.push(item.rules) - 1;
    known.set(key, place);
    places[index] = place;
    if (yielder.isDue()) await yielder.yieldNow();
  }
  return { rules, places };
}

/** Decided once for each person and state: there may be many people, and many rules. */
async function visibleSet(
  { sets }: State,
  rules: readonly AccessRules[],
  visibility: Visibility,
  onKept: (bytes: number) => void,
): Promise<string> {
  if (visibility.key === undefined) return decided(rules, visibility);
  const key = `${visibility.managedOnly} ${visibility.key}`;
  const known = sets.get(key);
  if (known !== undefined) return known;
  const set = await decided(rules, visibility);
  if (sets.size < MOST_SETS && !sets.has(key)) {
    sets.set(key, set);
    onKept(key.length + set.length + OVERHEAD_BYTES);
  }
  return set;
}

/** One character for each of the {@link FLAGS} and of the rules. In slices: there may be as many rules as Secrets. */
async function decided(rules: readonly AccessRules[], visibility: Visibility): Promise<string> {
  const yielder = createEventLoopYielder();
  const flags = [visibility.canCreate, visibility.managedOnly];
  for (const one of rules) {
    flags.push(visibility.isVisible(one));
    if (yielder.isDue()) await yielder.yieldNow();
  }
  return flags.map((flag) => (flag ? '1' : '0')).join('');
}
