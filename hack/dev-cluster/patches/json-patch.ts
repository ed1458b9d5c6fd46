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
  switch (textAt(operation, 'op')) {
    case 'add':
      return add(document, path, value);
    case 'remove':
      return remove(document, path);
    case 'replace':
      read(document, path);
      return replace(document, path, value);
    case 'move': {
      const from = pointer(textAt(operation, 'from'));
      return add(remove(document, from), path, read(document, from));
    }
    case 'copy':
      return add(document, path, read(document, pointer(textAt(operation, 'from'))));
    case 'test':
      if (isDeepStrictEqual(find(document, path) ?? null, value)) return document;
      throw new InapplicablePatch(`testing value ${textAt(operation, 'path')} failed: test failed`);
    default:
      throw new MalformedPatch(`Unexpected kind: ${textAt(operation, 'op')}`);
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

function add(document: Json, path: readonly string[], value: Json): Json {
  return change(
    document,
    path,
    (holder, last) => {
      if (!Array.isArray(holder)) return isObject(holder) ? withField(holder, last, value) : undefined;
      const list = holder as readonly Json[];
      return list.toSpliced(last === '-' ? list.length : indexIn(list, last, list.length), 0, value);
    },
    value,
  );
}

function replace(document: Json, path: readonly string[], value: Json): Json {
  return change(
    document,
    path,
    (holder, last) => {
      if (!Array.isArray(holder)) return isObject(holder) ? withField(holder, last, value) : undefined;
      return (holder as readonly Json[]).with(indexIn(holder as readonly Json[], last), value);
    },
    value,
  );
}

function remove(document: Json, path: readonly string[]): Json {
  read(document, path);
  return change(
    document,
    path,
    (holder, last) => {
      if (!Array.isArray(holder)) return isObject(holder) ? withField(holder, last, undefined) : undefined;
      return (holder as readonly Json[]).toSpliced(indexIn(holder as readonly Json[], last), 1);
    },
    null,
  );
}

/** Rebuilds the way down to the holder of the path's last part, which `edit` changes. `root` replaces the whole. */
function change(
  document: Json,
  path: readonly string[],
  edit: (holder: Json, last: string) => Json | undefined,
  root: Json,
): Json {
  const [first, ...rest] = path;
  if (first === undefined) return root;
  if (rest.length === 0) {
    const edited = edit(document, first);
    if (edited === undefined) throw missing(path);
    return edited;
  }
  const inner = change(read(document, [first]), rest, edit, root);
  if (!Array.isArray(document)) return isObject(document) ? withField(document, first, inner) : document;
  return (document as readonly Json[]).with(indexIn(document as readonly Json[], first), inner);
}

function indexIn(list: readonly Json[], part: string, limit = list.length - 1): number {
  const index = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
  if (index < 0 || index > limit) throw new InapplicablePatch(`Unable to access invalid index: ${part}`);
  return index;
}

function missing(path: readonly string[]): InapplicablePatch {
  return new InapplicablePatch(`Unable to find path ${path.join('/')}: missing value`);
}
