import { readFileSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ApiObject } from '../api/object.ts';
import { at, isObject, textAt, type Json } from '../json/json.ts';
import { type Change } from '../store/history.ts';
import { type Store } from '../store/store.ts';

/** A state file that cannot be used; the message says which and why, and quotes nothing of it. */
export class StateFileError extends Error {}

export interface SavedState {
  readonly revision: number;
  /** Up to where the history is gone. */
  readonly compacted: number;
  readonly tokenKey: Buffer;
  readonly objects: readonly SavedObject[];
  /** The history, oldest first. */
  readonly changes: readonly Change[];
}

export type SavedObject = readonly [resource: string, key: string, object: ApiObject];

const FORMAT = 1;
const CHUNK = 1024 * 1024;

/** Reads a state file; undefined when there is none yet. One JSON value per line: a head, the objects, then the history. */
export function readStateFile(path: string): SavedState | undefined {
  const lines = linesOf(path);
  if (lines === undefined) return undefined;
  try {
    const [head, ...rest] = lines.map((line) => JSON.parse(line) as Json);
    const revision = at(head, 'revision');
    if (at(head, 'format') !== FORMAT || typeof revision !== 'number') throw new SyntaxError('no head');
    const compacted = at(head, 'compacted');
    const changes = rest.filter((line) => !Array.isArray(line));
    // Earlier versions left out of a change what was among the objects; their history is taken as gone.
    const isWhole = typeof compacted === 'number' && changes.every((line) => isObject(at(line, 'object')));
    return {
      revision,
      compacted: isWhole ? compacted : revision,
      tokenKey: Buffer.from(textAt(head, 'tokenKey'), 'base64'),
      objects: rest.filter((line) => Array.isArray(line)).map(savedObject),
      changes: isWhole ? (changes as unknown as readonly Change[]) : [],
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new StateFileError(
      `${path} is no state file of the development cluster; remove it or name another`,
    );
  }
}

/** Writes the state beside the file and moves it into place, readable by its owner only. */
export async function writeStateFile(path: string, store: Store, tokenKey: Buffer): Promise<void> {
  const { revision, compacted } = store;
  const head = { format: FORMAT, revision, compacted, tokenKey: tokenKey.toString('base64') };
  const lines = [...store.everything(), ...store.changesSince(store.compacted)];
  const temporary = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(temporary, 'w', 0o600);
  try {
    let pending = `${JSON.stringify(head)}\n`;
    for (const line of lines) {
      pending += `${JSON.stringify(line)}\n`;
      if (pending.length < CHUNK) continue;
      await file.writeFile(pending);
      pending = '';
    }
    await file.writeFile(pending);
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

function linesOf(path: string): readonly string[] | undefined {
  try {
    return splitLines(readFileSync(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    throw new StateFileError(`${path} cannot be read (${code ?? 'unknown error'})`);
  }
}

/** Line by line from the bytes: a large state is longer than the longest string. */
function splitLines(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf('\n', start);
    const stop = end < 0 ? bytes.length : end;
    lines.push(bytes.toString('utf8', start, stop));
    start = stop + 1;
  }
  return lines;
}

function savedObject(value: Json): SavedObject {
  const [resource, key, object] = Array.isArray(value) ? (value as readonly Json[]) : [];
  if (typeof resource !== 'string' || typeof key !== 'string' || !isObject(object))
    throw new SyntaxError('no object');
  return [resource, key, object as ApiObject];
}
