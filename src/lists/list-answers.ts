import { hash } from 'node:crypto';
import { jsonInSlices } from '../timing/json-in-slices.ts';
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
export class ListAnswers {
  /** By namespace, the least recently used first. */
  readonly #namespaces = new Map<string, Answers>();
  readonly #maxBytes: number;
  readonly #compress: Compress;
  #bytes = 0;

  constructor(maxBytes: number, compress: Compress) {
    this.#maxBytes = maxBytes;
    this.#compress = compress;
  }

  /** Bytes cached at the moment, compressed copies included. */
  bytes(): number {
    return this.#bytes;
  }

  /**
   * The serialized list of a view, from now or from an earlier request with the same visible set. Another view of the
   * namespace drops the lists of the one before.
   */
  async answer(view: NamespaceView, visibility: Visibility): Promise<ListBody> {
    const answers = this.#answersOf(view);
    const { key, bits } = await this.#visibleSet(answers, view, visibility);
    const known = answers.bodies.get(key);
    if (known !== undefined) return known;
    const grow = this.#grow.bind(this, answers, view.namespace);
    const made = serializeList(view, bits, visibility.canCreate).then((plain) =>
      createListBody(plain, this.#compress, grow),
    );
    answers.bodies.set(key, made);
    const body = await made;
    grow(body.plain.byteLength + OVERHEAD_BYTES);
    return body;
  }

  #answersOf({ namespace, id, items }: NamespaceView): Answers {
    const known = this.#namespaces.get(namespace);
    if (known?.view === id) {
      this.#namespaces.delete(namespace);
      this.#namespaces.set(namespace, known); // Makes it the most recently used.
      return known;
    }
    this.#drop(namespace);
    const answers = { view: id, sets: new Map(), bodies: new Map(), bytes: 0 };
    if (items.length > 0) this.#namespaces.set(namespace, answers);
    return answers;
  }

  /** Decided once for each person and view. */
  async #visibleSet(answers: Answers, view: NamespaceView, visibility: Visibility): Promise<VisibleSet> {
    const known = answers.sets.get(visibility.key);
    if (known !== undefined) return known;
    const made = decide(view, visibility);
    if (answers.sets.size >= MAX_SETS) return made;
    answers.sets.set(visibility.key, made);
    const size = 2 * visibility.key.length + (view.items.length >> 3) + OVERHEAD_BYTES;
    this.#grow(answers, view.namespace, size);
    return made;
  }

  #grow(answers: Answers, namespace: string, size: number): void {
    if (this.#namespaces.get(namespace) !== answers) return;
    answers.bytes += size;
    this.#bytes += size;
    for (const oldest of this.#namespaces.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest); // At the end this view itself: a single one with many sets starts over.
    }
  }

  #drop(namespace: string): void {
    this.#bytes -= this.#namespaces.get(namespace)?.bytes ?? 0;
    this.#namespaces.delete(namespace);
  }
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

/** The body of a list, exactly as `JSON.stringify` would write it. */
async function serializeList({ namespace, items }: NamespaceView, bits: Uint8Array, canCreate: boolean) {
  const isSet = (index: number) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  const visible = items.values().filter((_, index) => isSet(index));
  const head = `{"namespace":${JSON.stringify(namespace)},"secrets":[`;
  const summaries = visible.map(({ json }) => json);
  return jsonInSlices(head, summaries, `],"canCreate":${canCreate}}`);
}
