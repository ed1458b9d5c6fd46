import { parseJson } from '../objects/raw-object.ts';
import { clusterError } from './errors.ts';
import type { ClusterReply } from './request.ts';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
/** RFC 8259, section 2. */
const WHITESPACE: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];
const ITEMS = Buffer.from('"items"');

/**
 * Finds the items of a list. Only as much of the JSON is checked here as that takes; the rest is when it is parsed.
 * Each item is parsed when it is read, so that of all others only the bytes of the response exist.
 * @returns undefined for a body that is not a JSON object
 */
export function parseList(body: Buffer): Required<Pick<ClusterReply, 'body' | 'items'>> | undefined {
  const found = findItems(body);
  if (found === undefined) return undefined;
  const { bounds, from, to } = found;
  const list = parseJson(Buffer.concat([body.subarray(0, from), body.subarray(to)]));
  return list === undefined || hasItems(list) ? undefined : { body: list, items: itemsOf(body, bounds) };
}

/** Where items begin and end, in turn; and what is cut out of the list, between the brackets. */
interface FoundItems {
  readonly bounds: readonly number[];
  readonly from: number;
  readonly to: number;
}

function findItems(body: Buffer): FoundItems | undefined {
  let found: FoundItems = { bounds: [], from: body.length, to: body.length };
  let at = skipSpace(body, 0);
  if (body[at] !== OPEN_BRACE) return undefined;
  do {
    const key = skipSpace(body, at + 1);
    const colon = skipSpace(body, endOfValue(body, key));
    const value = skipSpace(body, colon + 1);
    if (body[colon] !== COLON) break; // an empty object, or what is refused when it is parsed
    if (body[value] === OPEN_BRACKET && ITEMS.equals(body.subarray(key, key + ITEMS.length))) {
      found = itemsFrom(body, value);
      at = found.to + 1;
    } else at = endOfValue(body, value);
    at = skipSpace(body, at);
  } while (body[at] === COMMA);
  return found;
}

function itemsFrom(body: Buffer, bracket: number): FoundItems {
  const bounds: number[] = [];
  const from = bracket + 1;
  let at = skipSpace(body, from);
  if (body[at] === CLOSE_BRACKET) return { bounds, from, to: at };
  for (;;) {
    const end = endOfValue(body, at);
    bounds.push(at, end);
    at = skipSpace(body, end);
    if (body[at] !== COMMA) return { bounds, from, to: at };
    at = skipSpace(body, at + 1);
  }
}

/** Also of a value that is cut off or malformed; never before `start`. */
function endOfValue(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth--;
    } else if (depth > 0) continue;
    else if (byte === COMMA || byte === COLON || WHITESPACE.includes(byte)) return at;
    else continue; // of a number, or of a literal
    if (depth === 0) return at + 1;
  }
  return body.length;
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

function skipSpace(body: Buffer, start: number): number {
  let at = start;
  while (WHITESPACE.includes(body[at])) at++;
  return at;
}

/** As under a key with an escape sequence, or under the same key twice. */
function hasItems(list: unknown): boolean {
  if (typeof list !== 'object' || list === null || !('items' in list)) return false;
  return Array.isArray(list.items) && list.items.length > 0;
}

function* itemsOf(body: Buffer, bounds: readonly number[]): Generator {
  for (let at = 0; at < bounds.length; at += 2) yield parseItem(body.subarray(bounds[at], bounds[at + 1]));
}

function parseItem(bytes: Uint8Array): unknown {
  const item = parseJson(bytes);
  if (item === undefined) throw clusterError('unavailable', 'clusterNotJson');
  return item;
}
