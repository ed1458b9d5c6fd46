import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isValidKey } from '../../../src/contract/keys.ts';

// Keys as files for the child of `run --mount`. Everything is synchronous: a signal cannot arrive between making a folder and
// recording that it has to be removed.

export type Mounted =
  | { readonly kind: 'mounted'; readonly inMemory: boolean; readonly remove: () => void }
  | { readonly kind: 'failed'; readonly problem: string };

export interface MountPlaces {
  /** Folders of this user or of all that may lie in memory, the preferred one first. */
  readonly candidates: readonly string[];
  readonly isInMemory: (folder: string) => boolean;
}

const TMPFS_MAGIC = 0x01021994;
const RAMFS_MAGIC = 0x858458f6;

export const isMemoryBacked = (folder: string): boolean => {
  try {
    const { type } = statfsSync(folder);
    return type === TMPFS_MAGIC || type >>> 0 === RAMFS_MAGIC;
  } catch {
    return false;
  }
};

export const memoryPlaces = (environment: Readonly<Record<string, string | undefined>>): MountPlaces => ({
  candidates: [environment['XDG_RUNTIME_DIR'], '/dev/shm'].filter(
    (folder): folder is string => folder?.startsWith('/') === true,
  ),
  isInMemory: isMemoryBacked,
});

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** `folder` itself where it lies in memory or nothing does; otherwise a link to a folder that does. */
const makeFolder = (folder: string, places: MountPlaces, made: string[]): { inMemory: boolean } => {
  const inPlace = places.isInMemory(dirname(folder));
  const candidate = inPlace ? undefined : places.candidates.find(places.isInMemory);
  if (candidate === undefined) {
    mkdirSync(folder, { mode: 0o700 });
    made.push(folder);
    // The umask may have taken rights of the owner.
    chmodSync(folder, 0o700);
    return { inMemory: inPlace };
  }
  const target = mkdtempSync(join(candidate, 'secretsctl-'));
  made.push(target);
  symlinkSync(target, folder);
  made.push(folder);
  return { inMemory: true };
};

const removeAll = (made: readonly string[]): void => {
  // A folder that cannot be removed must not keep the others.
  for (const path of made.toReversed()) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      continue;
    }
  }
};

/** Each key as a file of mode 0400 in a new folder of mode 0700. */
export const mountKeys = (
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  places: MountPlaces,
): Mounted => {
  const absolute = resolve(folder);
  if (exists(absolute)) return { kind: 'failed', problem: `${folder} exists; --mount makes a new folder` };
  if (![...files.keys()].every(isValidKey)) return { kind: 'failed', problem: 'a key is no file name' };
  const made: string[] = [];
  try {
    const { inMemory } = makeFolder(absolute, places, made);
    for (const [key, value] of files) {
      writeFileSync(join(absolute, key), value, { mode: 0o400, flag: 'wx' });
    }
    return {
      kind: 'mounted',
      inMemory,
      remove: () => {
        removeAll(made);
      },
    };
  } catch (error) {
    removeAll(made);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { kind: 'failed', problem: `cannot make ${folder}: ${code}` };
  }
};
