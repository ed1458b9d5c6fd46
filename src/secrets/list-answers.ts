import type { AccessRules } from '../access/access-rules.ts';
import { byName, listJson, type ListItem } from './list-item.ts';

/** Which items of a namespace go into an answer. */
export interface Visibility {
  readonly canCreate: boolean;
  readonly managedOnly: boolean;
  isVisible(rules: AccessRules): boolean;
}

/** Serialized answers kept for repeated lists. */
export interface ListAnswers {
  /**
   * The answer for these items, made now or kept from an earlier list of the same items and the same visible set.
   * Another array means another state of the namespace: what is kept of the one before is dropped.
   */
  answer(namespace: string, items: readonly ListItem[], visibility: Visibility): Buffer;
  /** Bytes kept at the moment. */
  keptBytes(): number;
}

/** Items of one namespace in one state, by the rules that decide who sees them. */
interface State {
  /** Weakly: the cache alone decides how long items live. */
  readonly items: WeakRef<readonly ListItem[]>;
  readonly rules: readonly AccessRules[];
  /** For each item the place of its rules. */
  readonly places: Uint32Array;
  /** By visible set. */
  readonly bodies: Map<string, Buffer>;
  bytes: number;
}

/** What a body costs beside its bytes. */
const OVERHEAD_BYTES = 256;

/**
 * Keeps answers per namespace, state and visible set. The visible set is decided once per distinct rules, not
 * per item: people with the same rights share an answer. Beyond `maxBytes` the namespace longest unused goes first.
 */
export function createListAnswers(maxBytes: number): ListAnswers {
  /** Longest unused first. */
  const states = new Map<string, State>();
  let bytes = 0;

  const drop = (namespace: string): void => {
    bytes -= states.get(namespace)?.bytes ?? 0;
    states.delete(namespace);
  };
  const stateOf = (namespace: string, items: readonly ListItem[]): State => {
    const known = states.get(namespace);
    if (known?.items.deref() === items) {
      states.delete(namespace);
      states.set(namespace, known); // now the youngest
      return known;
    }
    drop(namespace);
    const state = grouped(items);
    states.set(namespace, state);
    bytes += state.bytes;
    return state;
  };
  const keep = (state: State, set: string, body: Buffer): void => {
    const size = body.byteLength + set.length + OVERHEAD_BYTES;
    if (size > maxBytes) return;
    state.bodies.set(set, body);
    state.bytes += size;
    bytes += size;
    for (const oldest of states.keys()) {
      if (bytes <= maxBytes) return;
      drop(oldest); // in the end this very one: a single state of many sets starts over
    }
  };

  return {
    answer(namespace, items, visibility) {
      if (items.length === 0) return Buffer.from(listJson(namespace, items, visibility.canCreate));
      const state = stateOf(namespace, items);
      const visible = state.rules.map((one) => visibility.isVisible(one));
      const flags = [visibility.canCreate, visibility.managedOnly, ...visible];
      const set = flags.map((flag) => (flag ? '1' : '0')).join('');
      const hit = state.bodies.get(set);
      if (hit !== undefined) return hit;
      const chosen = items.filter(
        ({ managed }, index) =>
          visible[state.places[index] ?? 0] === true && (managed || !visibility.managedOnly),
      );
      const body = Buffer.from(listJson(namespace, chosen, visibility.canCreate));
      keep(state, set, body);
      return body;
    },
    keptBytes: () => bytes,
  };
}

function grouped(items: readonly ListItem[]): State {
  const known = new Map<string, number>();
  const rules: AccessRules[] = [];
  const places = new Uint32Array(items.length);
  items.forEach((item, index) => {
    const key = JSON.stringify([item.rules.allowedGroups, item.rules.allowedUsers]);
    const place = known.get(key) ?? rules.push(item.rules) - 1;
    known.set(key, place);
    places[index] = place;
  });
  return {
    items: new WeakRef(items),
    rules,
    places,
    bodies: new Map(),
    bytes: places.byteLength + OVERHEAD_BYTES,
  };
}

/** The answer for items that were just collected and will not be asked for again. */
export function liveAnswer(namespace: string, items: readonly ListItem[], visibility: Visibility): Buffer {
  const visible = items
    .filter(({ managed }) => managed || !visibility.managedOnly)
    .filter(({ rules }) => visibility.isVisible(rules))
    .toSorted(byName);
  return Buffer.from(listJson(namespace, visible, visibility.canCreate));
}
