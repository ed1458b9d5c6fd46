import { isDeepStrictEqual } from 'node:util';
import { isObject, own, textAt, withField, type Json } from '../json/json.ts';

/** A JSON patch that is malformed (400). */
export class MalformedPatch extends Error {}
/** A JSON patch that does not apply: a failed test, or a path that is not there (422). */
export class InapplicablePatch extends Error {}

/** The cluster's own limit of operations in one patch. */
const MAX_OPERATIONS = 10_000;

/** RFC 6902. The target is never changed in place. */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch))
    throw new MalformedPatch('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  if (patch.length > MAX_OPERATIONS) throw new MalformedPatch('too many operations');
  return (patch as readonly Json[]).reduce(applyOperation, target);
}

function applyOperation(document: Json, operation: Json): Json {
  const path = pointer(textAt(operation, 'path'));
  const value = isObject(operation) ? (own(operation, 'value') ?? null) : null;
  const op = textAt(operation, 'op');
  switch (op) {
    case 'add':
      return put(document, path, value, 'insert');
    case 'remove':
    case 'replace':
      read(document, path);
      return put(document, path, op === 'remove' ? undefined : value);
    case 'move': {
      const from = pointer(textAt(operation, 'from'));
      return put(put(document, from, undefined), path, read(document, from), 'insert');
    }
    case 'copy':
      return put(document, path, read(document, pointer(textAt(operation, 'from'))), 'insert');
    case 'test':
      if (isDeepStrictEqual(find(document, path) ?? null, value)) return document;
      throw new InapplicablePatch(`testing value ${textAt(operation, 'path')} failed: test failed`);
    default:
      throw new MalformedPatch(`Unexpected kind: ${op}`);
  }
}

function pointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) throw new MalformedPatch(`invalid path ${JSON.stringify(text)}`);
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(document: Json, path: readonly string[]): Json | undefined {
  let current: Json | undefined = document;
  for (const part of path) {
    if (Array.isArray(current))
      current = (current as readonly Json[])[indexIn(current as readonly Json[], part)];
    else current = isObject(current) ? own(current, part) : undefined;
  }
  return current;
}

function read(document: Json, path: readonly string[]): Json {
  const found = find(document, path);
  if (found === undefined) throw missing(path);
  return found;
}

/**
 * Rebuilds the way down to the path's last part, which gets the value. undefined removes it; in a list, what is inserted
 * takes no other's place.
 */
function put(
  document: Json,
  [first, ...rest]: readonly string[],
  value: Json | undefined,
  how: 'insert' | 'replace' = 'replace',
): Json {
  if (first === undefined) return value ?? null;
  const isLast = rest.length === 0;
  const inner = isLast ? value : put(read(document, [first]), rest, value, how);
  if (isObject(document)) return withField(document, first, inner);
  if (!Array.isArray(document)) throw missing([first, ...rest]);
  const list = document as readonly Json[];
  if (isLast && how === 'insert') {
    const index = first === '-' ? list.length : indexIn(list, first, list.length);
    return list.toSpliced(index, 0, inner ?? null);
  }
  const index = indexIn(list, first);
  return inner === undefined ? list.toSpliced(index, 1) : list.with(index, inner);
}

function indexIn(list: readonly Json[], part: string, limit = list.length - 1): number {
  const index = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  if (index < 0 || index > limit) throw new InapplicablePatch(`Unable to access invalid index: ${part}`);
  return index;
}

function missing(path: readonly string[]): InapplicablePatch {
  return new InapplicablePatch(`Unable to find path ${path.join('/')}: missing value`);
}
