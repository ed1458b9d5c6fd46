import { field, isObject, parseJson } from '../objects/raw-object.ts';
import { clusterError } from './errors.ts';
import type { ClusterReply, ListedItem } from './request.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
/** RFC 8259, section 2. */
const WHITESPACE: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
const ITEMS = Buffer.from('"items"');

/**
 * Finds the items of a list. Only as much of the JSON is checked here as that takes; the rest is when it is parsed.
 * Each item is parsed when it is read, so that of all others only the bytes of the response exist.
 * @returns undefined for a body that is not a JSON object
 */
export function parseList(body: Buffer): Required<Pick<ClusterReply, 'body' | 'items'>> | undefined {
  const bounds = findItems(body);
  const [from = body.length, to = body.length] = [bounds[0], bounds.at(-1)];
  const list = parseJson(Buffer.concat([body.subarray(0, from + 1), body.subarray(to)]));
  if (!isObject(list)) return undefined;
  // As under a key with an escape sequence, or under the same key twice.
  const uncut = field(list, 'items');
  const isUncut = Array.isArray(uncut) && uncut.length > 0;
  return isUncut ? undefined : { body: list, items: itemsOf(body, bounds) };
}

/** Where the array of items begins, where its commas are, and where it ends; empty without one. */
function findItems(body: Buffer): readonly number[] {
  let bounds: number[] = [];
  let depth = 0;
  let [isItemsKey, isWithin] = [false, false];
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case QUOTE:
        // A key, or a value before the next key.
        if (depth === 1) isItemsKey = ITEMS.equals(body.subarray(at, at + ITEMS.length));
        at = endOfText(body, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth++;
        if (depth !== 2 || !isItemsKey || body[at] !== OPEN_BRACKET) break;
        isWithin = true;
        bounds = [at];
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        if (depth !== 1 || !isWithin) break;
        isWithin = false;
        bounds.push(at);
        break;
      case COMMA:
        if (depth === 2 && isWithin) bounds.push(at);
        break;
      default:
    }
  }
  return bounds;
}

/** Where its closing quote is. */
function endOfText(body: Buffer, start: number): number {
  for (let at = body.indexOf(QUOTE, start + 1); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let first = at;
    while (body[first - 1] === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return at;
  }
  return body.length;
}

function* itemsOf(body: Buffer, bounds: readonly number[]): Generator<ListedItem> {
  for (const [index, end] of bounds.slice(1).entries()) {
    const bytes = body.subarray((bounds[index] ?? 0) + 1, end);
    const isEmptyArray = bounds.length === 2 && bytes.every((byte) => WHITESPACE.includes(byte));
    if (!isEmptyArray) yield [parseItem(bytes), bytes.byteLength];
  }
}

function parseItem(bytes: Uint8Array): unknown {
  const item = parseJson(bytes);
  if (item === undefined) throw clusterError('unavailable', 'clusterNotJson');
  return item;
}
