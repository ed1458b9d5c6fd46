import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestSelection } from './run-tests.ts';

const UNIT_TIMEOUT_MS = 180_000;
const SIMULATION = 'test/simulation';
const SIMULATION_TIMEOUT_MS = 300_000;

/** Enough to find every bug that only an order of events shows; the same ones in each run, so that a result repeats. */
const SIMULATION_ENV = { SIMULATION_SEEDS: '2000', SIMULATION_SEED: '1' };

/** The folders of tests that hold a module, those that are likely to notice first. */
const FOLDERS: readonly (readonly [module: string, tests: readonly string[]])[] = [
  ['src/history/', ['test/unit/history', 'test/unit/secrets']],
  ['src/secrets/', ['test/unit/secrets']],
  ['src/access/', ['test/unit/access', 'test/unit/secrets']],
  ['src/auth/machines/', ['test/unit/auth/machines']],
  ['src/contract/', ['test/unit/contract', 'test/unit/access', 'test/unit/secrets']],
  ['src/controller/', ['test/unit/controller']],
  ['src/informers/', ['test/unit/informers', 'test/unit/caches']],
  ['src/caches/', ['test/unit/caches', 'test/unit/secrets']],
  ['src/lists/', ['test/unit/lists', 'test/unit/caches']],
  ['src/kube/', ['test/unit/kube', 'test/unit/history', 'test/unit/secrets']],
];

/** What the simulation replaces, or does not use. */
const WITHOUT_SIMULATION = ['src/access/', 'src/auth/machines/', 'src/contract/', 'src/informers/'];

/**
 * The runs of tests that concern a file, the quickest first; a bug goes on to the next when it has survived one: the
 * file's own test, those of its module and of the use cases, then the simulation where the tree has one.
 */
export function stagesFor(folder: string, file: string): readonly TestSelection[] {
  const own = file.replace(/^src\//, 'test/unit/').replace(/\.ts$/, '.test.ts');
  const module = FOLDERS.find(([prefix]) => file.startsWith(prefix));
  if (module === undefined) throw new Error(`${file}: no tests are named for this module`);
  return [
    ...(existsSync(join(folder, own)) ? [unit([own])] : []),
    unit(module[1]),
    ...(WITHOUT_SIMULATION.includes(module[0]) ? [] : simulation(folder)),
  ];
}

/** Everything that any bug may be held against. */
export function allStages(folder: string): readonly TestSelection[] {
  return [unit([...new Set(FOLDERS.flatMap(([, tests]) => tests))]), ...simulation(folder)];
}

function unit(paths: readonly string[]): TestSelection {
  return { project: 'unit', paths, timeoutMs: UNIT_TIMEOUT_MS };
}

function simulation(folder: string): readonly TestSelection[] {
  if (!existsSync(join(folder, SIMULATION))) return [];
  return [
    { project: 'simulation', paths: [SIMULATION], env: SIMULATION_ENV, timeoutMs: SIMULATION_TIMEOUT_MS },
  ];
}
