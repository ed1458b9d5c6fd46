import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, type Mutant } from './mutant.ts';

/** What the tests need of the tree. Installed packages are linked, since they are not changed. */
const COPIED = ['src', 'test', 'hack', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

/** A copy of the tree, in which bugs are planted; the tree itself stays as it is. */
export interface Workspace {
  readonly folder: string;
  /** Plants the bug, runs the function, and puts the code right again. */
  withMutant<Result>(mutant: Mutant, run: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

export function createWorkspace(root: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return {
    folder,
    async withMutant(mutant, run) {
      const path = join(folder, mutant.file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, plant(source, mutant));
      try {
        return await run();
      } finally {
        writeFileSync(path, source);
      }
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
