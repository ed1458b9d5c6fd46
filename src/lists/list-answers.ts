import { hash } from 'node:crypto';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { createListBody, type Compress, type ListBody } from './list-body.ts';
import type { ListItem } from './list-item.ts';
import { eachMatch } from './matches.ts';
import type { NamespaceView } from './views.ts';

/** Which items of a namespace belong in a response. */
export interface Visibility {
  readonly canCreate: boolean;
  /** Everything that `isVisible` depends on. */
  readonly key: string;
  readonly isVisible: (item: ListItem) => boolean;
}

/** Serialized lists, cached for repeated requests. */
export type ListAnswers = ReturnType<typeof createListAnswers>;

/** The lists of one view. Concurrent requests share what is being made. */
interface Answers {
  readonly view: string;
  /** By what access depends on: someone's visible set is decided once. */
  readonly sets: Map<string, Promise<VisibleSet>>;
  /** By visible set. */
  readonly bodies: Map<string, Promise<ListBody>>;
  bytes: number;
}

interface VisibleSet {
  /** The same for people who see the same. */
  readonly key: string;
  /** One for each visible item. */
  readonly bits: Uint8Array;
}

/** The memory of a list, or of someone's visible set, besides its bytes. */
const OVERHEAD_BYTES = 256;
/** People whose visible set of one view is cached. */
const MAX_SETS = 1_000;

/** Caches serialized lists by view and visible set. Beyond `maxBytes` the least recently used namespace goes first. */
export function createListAnswers(maxBytes: number, compress: Compress) {
  const cache = createAnswerCache(maxBytes);
  return {
    /**
     * The serialized list of a view, from now or from an earlier request with the same visible set. Another view of the
     * namespace drops the lists of the one before.
     */
    async answer(view: NamespaceView, visibility: Visibility): Promise<ListBody> {
      const answers = cache.of(view);
      const { key, bits } = await visibleSet(answers, view, visibility, (size) => {
        cache.grow(view.namespace, answers, size);
      });
      const known = answers.bodies.get(key);
      if (known !== undefined) return known;
      const count = (size: number): void => {
        if (answers.bodies.get(key) !== made) return;
        if (size > maxBytes) answers.bodies.delete(key);
        else cache.grow(view.namespace, answers, size);
      };
      const made = serializeList(view, bits, visibility.canCreate).then((plain) =>
        createListBody(plain, compress, count),
      );
      answers.bodies.set(key, made);
      const body = await made;
      count(body.plain.byteLength + OVERHEAD_BYTES);
      return body;
    },
    /** Bytes cached at the moment, compressed copies included. */
    bytes: cache.bytes,
  };
}

function createAnswerCache(maxBytes: number) {
  /** By namespace, the least recently used first. */
  const namespaces = new Map<string, Answers>();
  let bytes = 0;
  const drop = (namespace: string): void => {
    bytes -= namespaces.get(namespace)?.bytes ?? 0;
    namespaces.delete(namespace);
  };
  return {
    bytes: () => bytes,
    of({ namespace, id, items }: NamespaceView): Answers {
      const known = namespaces.get(namespace);
      if (known?.view === id) {
        namespaces.delete(namespace);
        namespaces.set(namespace, known); // Makes it the most recently used.
        return known;
      }
      drop(namespace);
      const answers = { view: id, sets: new Map(), bodies: new Map(), bytes: 0 };
      if (items.length > 0) namespaces.set(namespace, answers);
      return answers;
    },
    grow(namespace: string, answers: Answers, size: number): void {
      if (namespaces.get(namespace) !== answers) return;
      answers.bytes += size;
      bytes += size;
      for (const oldest of namespaces.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest); // At the end this view itself: a single one with many sets starts over.
      }
    },
  };
}

/** Decided once for each person and view. */
async function visibleSet(
  { sets }: Answers,
  view: NamespaceView,
  visibility: Visibility,
  onCached: (bytes: number) => void,
): Promise<VisibleSet> {
  const known = sets.get(visibility.key);
  if (known !== undefined) return known;
  const made = decide(view, visibility);
  if (sets.size >= MAX_SETS) return made;
  sets.set(visibility.key, made);
  onCached(2 * visibility.key.length + (view.items.length >> 3) + OVERHEAD_BYTES);
  return made;
}

async function decide({ items }: NamespaceView, { canCreate, isVisible }: Visibility): Promise<VisibleSet> {
  const bits = new Uint8Array((items.length >> 3) + 1);
  let index = -1;
  const see = (item: ListItem): boolean => {
    index++;
    if (isVisible(item)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    return false;
  };
  await eachMatch(items, { words: [], isVisible: see }, () => undefined);
  return { key: `${canCreate} ${hash('sha256', bits)}`, bits };
}

/** Characters that are joined and encoded in one turn of the event loop, about a millisecond. */
const PIECE = 262_144;

/** The body of a list, exactly as `JSON.stringify` would write it. */
async function serializeList(
  { namespace, items }: NamespaceView,
  bits: Uint8Array,
  canCreate: boolean,
): Promise<Buffer> {
  const yielder = createEventLoopYielder();
  const pieces: Buffer[] = [];
  let part = `{"namespace":${JSON.stringify(namespace)},"secrets":[`;
  let separator = '';
  for (const [index, { json }] of items.entries()) {
    if (((bits[index >> 3] ?? 0) & (1 << (index & 7))) === 0) continue;
    part += separator + json;
    separator = ',';
    if (part.length < PIECE) continue;
    pieces.push(Buffer.from(part));
    part = '';
    if (yielder.isDue()) await yielder.yieldNow();
  }
  return Buffer.concat([...pieces, Buffer.from(`${part}],"canCreate":${canCreate}}`)]);
}
