import type { ListAccess } from '../access/list-access.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { createListBody, type Compress, type ListBody } from './list-body.ts';
import type { ListItem } from './list-item.ts';
import type { NamespaceView } from './views.ts';

/** Which items of a namespace belong in a response. */
export interface Visibility extends Pick<ListAccess, 'canCreate' | 'key'> {
  readonly isVisible: (item: ListItem) => boolean;
}

/** Serialized lists, cached for repeated requests. */
export type ListAnswers = ReturnType<typeof createListAnswers>;

interface CachedList {
  readonly view: Buffer;
  /** Concurrent requests share what is being made. */
  readonly body: Promise<ListBody>;
  bytes: number;
}

/** The memory of an answer besides its bytes and its key. */
const OVERHEAD_BYTES = 256;

/** Caches the last list of each person and namespace. Beyond `maxBytes` the least recently used one goes first. */
export function createListAnswers(maxBytes: number, compress: Compress) {
  /** The least recently used first. */
  const answers = new Map<string, CachedList>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= answers.get(key)?.bytes ?? 0;
    answers.delete(key);
  };
  const grow = (key: string, answer: CachedList, size: number): void => {
    if (answers.get(key) !== answer) return;
    answer.bytes += size;
    bytes += size;
    for (const oldest of answers.keys()) {
      if (bytes <= maxBytes) return;
      drop(oldest);
    }
  };
  return {
    /** The serialized list of a view, from now or from an earlier request with the same decisions. */
    async answer(view: NamespaceView, visibility: Visibility): Promise<ListBody> {
      const key = `${view.namespace} ${visibility.key}`;
      const known = answers.get(key);
      if (known?.view.equals(view.id) === true) {
        answers.delete(key);
        answers.set(key, known); // Makes it the most recently used.
        return known.body;
      }
      drop(key);
      const made = serializeList(view, visibility).then((plain) => {
        grow(key, answer, plain.byteLength + 2 * key.length + OVERHEAD_BYTES);
        return createListBody(plain, compress, (size) => {
          grow(key, answer, size);
        });
      });
      const answer: CachedList = { view: view.id, body: made, bytes: 0 };
      if (view.items.length > 0) answers.set(key, answer);
      return made;
    },
    /** Bytes cached at the moment, compressed copies included. */
    bytes: () => bytes,
  };
}

/** Characters that are joined and encoded in one turn of the event loop, about a millisecond. */
const PIECE = 262_144;

/** The body of a list, exactly as `JSON.stringify` would write it. */
async function serializeList(
  { namespace, items }: NamespaceView,
  { canCreate, isVisible }: Visibility,
): Promise<Buffer> {
  const yielder = createEventLoopYielder();
  const pieces: Buffer[] = [];
  let part = `{"namespace":${JSON.stringify(namespace)},"secrets":[`;
  let separator = '';
  for (const item of items) {
    if (yielder.isDue()) await yielder.yieldNow();
    if (!isVisible(item)) continue;
    part += separator + item.json;
    separator = ',';
    if (part.length < PIECE) continue;
    pieces.push(Buffer.from(part));
    part = '';
  }
  return Buffer.concat([...pieces, Buffer.from(`${part}],"canCreate":${canCreate}}`)]);
}
