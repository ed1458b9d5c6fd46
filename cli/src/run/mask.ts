import { Buffer } from 'node:buffer';

// Hides values in the output of a child. Output comes in chunks, and a value may lie across any number of them: an automaton
// (Aho and Corasick, 1975) reads each byte once and holds back only what may still become a value.

export interface Mask {
  /** What of the output so far contains no value and cannot be the beginning of one. */
  write(chunk: Uint8Array): Buffer;
  /** What was held back. */
  end(): Buffer;
}

export const MASK_TEXT = '***';
const MIN_CHARACTERS = 6;
const MAX_PATTERN_BYTES = 16 * 1024 * 1024;
const ROOT = 0;
const NONE = -1;

/** No character of UTF-8 has more than four bytes. */
const isLongEnough = (value: Buffer): boolean =>
  value.length >= 4 * MIN_CHARACTERS || Array.from(value.toString('utf8')).length >= MIN_CHARACTERS;

/** A value, its lines, which programs print one by one, and its forms in a manifest, in JSON, in an address and in an HTML form. */
const formsOf = (value: Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(value);
  const text = bytes.toString('utf8');
  const lines = bytes.toString('latin1').split(/[\r\n]/u);
  const encoded = [
    bytes.toString('base64').replaceAll('=', ''),
    ...[
      JSON.stringify(text).slice(1, -1),
      encodeURIComponent(text),
      String(new URLSearchParams({ '': text })).slice(1),
    ],
  ].filter((form) => form !== text);
  return [
    bytes,
    ...lines.map((line) => Buffer.from(line, 'latin1')),
    ...Array.from(new Set(encoded), (form) => Buffer.from(form)),
  ].filter(isLongEnough);
};

interface Automaton {
  /** The state after one more byte. */
  next(state: number, byte: number): number;
  /** How many of the last bytes may be the beginning of a pattern. */
  depth(state: number): number;
  /** The length of the longest pattern that ends here; 0 for none. */
  matched(state: number): number;
}

/** A trie of sibling lists: 21 bytes for each byte of the patterns, where tables of 256 would be a kilobyte. */
const createTrie = (patterns: readonly Uint8Array[]) => {
  const size = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
  const firstChild = new Int32Array(size).fill(NONE);
  const sibling = new Int32Array(size).fill(NONE);
  const byteOf = new Uint8Array(size);
  const depth = new Int32Array(size);
  const matched = new Int32Array(size);
  const rootChild = new Int32Array(256).fill(NONE);
  let used = 1;
  const child = (node: number, byte: number): number => {
    if (node === ROOT) return rootChild[byte] ?? NONE;
    let at = firstChild[node] ?? NONE;
    while (at !== NONE && byteOf[at] !== byte) at = sibling[at] ?? NONE;
    return at;
  };
  const addChild = (node: number, byte: number): number => {
    const added = used++;
    byteOf[added] = byte;
    sibling[added] = firstChild[node] ?? NONE;
    firstChild[node] = added;
    depth[added] = (depth[node] ?? 0) + 1;
    if (node === ROOT) rootChild[byte] = added;
    return added;
  };
  for (const pattern of patterns) {
    let node = ROOT;
    for (const byte of pattern) {
      const existing = child(node, byte);
      node = existing === NONE ? addChild(node, byte) : existing;
    }
    matched[node] = pattern.length;
  }
  return { size: used, firstChild, sibling, byteOf, depth, matched, child };
};

const createAutomaton = (patterns: readonly Uint8Array[]): Automaton => {
  const { size, firstChild, sibling, byteOf, depth, matched, child } = createTrie(patterns);
  const failure = new Int32Array(size);
  const next = (state: number, byte: number): number => {
    let from = state;
    for (;;) {
      const to = child(from, byte);
      if (to !== NONE) return to;
      if (from === ROOT) return ROOT;
      from = failure[from] ?? ROOT;
    }
  };
  // Breadth first: the failure of a node is shallower than the node.
  const queue = new Int32Array(size);
  let length = 1;
  for (let head = 0; head < length; head++) {
    const node = queue[head] ?? ROOT;
    for (let at = firstChild[node] ?? NONE; at !== NONE; at = sibling[at] ?? NONE) {
      const fallback = node === ROOT ? ROOT : next(failure[node] ?? ROOT, byteOf[at] ?? 0);
      failure[at] = fallback;
      matched[at] = Math.max(matched[at] ?? 0, matched[fallback] ?? 0);
      queue[length++] = at;
    }
  }
  return { next, depth: (state) => depth[state] ?? 0, matched: (state) => matched[state] ?? 0 };
};

/** A queue of bytes in one buffer: what a byte costs does not depend on the size of its chunk. */
const createByteQueue = () => {
  let buffer = Buffer.alloc(64 * 1024);
  let start = 0;
  let end = 0;
  return {
    length: () => end - start,
    push: (chunk: Uint8Array): void => {
      const length = end - start;
      if (end + chunk.length > buffer.length) {
        const larger = length + chunk.length > buffer.length / 2;
        const into = larger ? Buffer.alloc(2 * (length + chunk.length)) : buffer;
        buffer.copy(into, 0, start, end);
        [buffer, start, end] = [into, 0, length];
      }
      buffer.set(chunk, end);
      end += chunk.length;
    },
    /** A copy of the first bytes, which leave the queue. */
    shift: (count: number): Buffer => {
      const first = Buffer.from(buffer.subarray(start, start + count));
      start += count;
      return first;
    },
  };
};

interface Range {
  from: number;
  readonly to: number;
}

/** Positions count from the first byte of the output. */
const createMask = (automaton: Automaton): Mask => {
  const held = createByteQueue();
  let heldFrom = 0;
  let state = ROOT;
  /** Ranges of values that are not written yet, in order and apart from each other. */
  const hidden: Range[] = [];
  /** Where the last value ended whose mask was written: a range that begins here continues it. */
  let maskedTo = NONE;

  const hide = (from: number, to: number): void => {
    let start = from;
    for (let last = hidden.at(-1); last !== undefined && last.to >= start; last = hidden.at(-1)) {
      start = Math.min(start, last.from);
      hidden.pop();
    }
    hidden.push({ from: start, to });
  };

  const release = (to: number): Buffer => {
    const parts: Buffer[] = [];
    const take = (until: number): Buffer => {
      const bytes = held.shift(until - heldFrom);
      heldFrom = until;
      return bytes;
    };
    let done = 0;
    for (const range of hidden) {
      if (range.from >= to) break;
      parts.push(take(range.from));
      if (range.from !== maskedTo) parts.push(Buffer.from(MASK_TEXT));
      maskedTo = Math.min(range.to, to);
      take(maskedTo);
      range.from = maskedTo;
      if (range.to > to) break;
      done++;
    }
    hidden.splice(0, done);
    parts.push(take(to));
    return Buffer.concat(parts);
  };

  return {
    write: (chunk) => {
      const from = heldFrom + held.length();
      held.push(chunk);
      for (let index = 0; index < chunk.length; index++) {
        state = automaton.next(state, chunk[index] ?? 0);
        const length = automaton.matched(state);
        if (length > 0) hide(from + index + 1 - length, from + index + 1);
      }
      return release(from + chunk.length - automaton.depth(state));
    },
    end: () => release(heldFrom + held.length()),
  };
};

export type MaskFactory = { kind: 'masks'; create: () => Mask } | { kind: 'too-large' };

/** One factory for both streams of the child: they share the patterns, and nothing else. */
export const createMasks = (values: Iterable<Uint8Array>): MaskFactory => {
  const patterns: Uint8Array[] = [];
  let bytes = 0;
  for (const value of values) {
    for (const form of formsOf(value)) {
      bytes += form.length;
      patterns.push(form);
    }
    if (bytes > MAX_PATTERN_BYTES) return { kind: 'too-large' };
  }
  const automaton = createAutomaton(patterns);
  return { kind: 'masks', create: () => createMask(automaton) };
};
