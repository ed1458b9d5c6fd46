import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const UNPACKED = new URL('../../.dev/debian', import.meta.url).pathname;

/** A program of Debian's: installed, or unpacked by `hack/install-<name>`. */
export interface DebianProgram {
  readonly path: string;
  /** The folder that stands for `/`. */
  readonly root: string;
  /** What the program has to find its libraries. */
  readonly env: Readonly<Record<string, string>>;
}

/** @throws when there is none, saying how to get it: a suite that needs it fails, and is never left out silently */
export function debianProgram(name: string): DebianProgram {
  for (const root of ['/', join(UNPACKED, name)]) {
    for (const folder of ['usr/bin', 'usr/sbin']) {
      const path = join(root, folder, name);
      if (existsSync(path))
        return { path, root, env: root === '/' ? {} : { LD_LIBRARY_PATH: libraries(root) } };
    }
  }
  throw new Error(`${name} is missing: run hack/install-${name}`);
}

/** The folders of libraries; they are named after the architecture. */
function libraries(root: string): string {
  return ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => join(folder, name)),
    )
    .join(':');
}
