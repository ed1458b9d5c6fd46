import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { assignmentsOf, type Instruction, type Stage } from './dockerfile.ts';
import type { IsSent } from './ignore-file.ts';

/** A stage that was gone through by hand: a folder that stands for its root, and what it is started with. */
export interface Replayed {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
}

export interface ReplayOptions {
  /** The project. */
  readonly project: string;
  readonly isSent: IsSent;
  /** Where the stages' folders go. */
  readonly folder: string;
  /** Stands for the Node of the base image. */
  readonly node: string;
  readonly log: (line: string) => void;
}

const NODE_PLACE = 'usr/local/bin/node';
const EMPTY = { workdir: '/', env: {}, user: 'root', entrypoint: [], cmd: [], healthcheck: [] };

/**
 * Goes through the stages that some are made of, without a container engine: COPY copies, RUN runs on this machine in
 * the stage's folder. So it finds missing files, missing packages and wrong orders, and not what the base images lack.
 */
export function replay(
  stages: readonly Stage[],
  names: readonly string[],
  options: ReplayOptions,
): ReadonlyMap<string, Replayed> {
  const done = new Map<string, Replayed>();
  const wanted = new Set(names.flatMap((name) => [...needed(stages, name)]));
  for (const stage of stages.filter(({ name }) => wanted.has(name))) {
    options.log(`stage ${stage.name}`);
    const root = path.join(options.folder, stage.name);
    done.set(stage.name, replayStage(stage, begin(stage, root, done, options), done, options));
  }
  return done;
}

function needed(stages: readonly Stage[], name: string): ReadonlySet<string> {
  const stage = stages.find((one) => one.name === name);
  if (stage === undefined) return new Set();
  const sources = stage.instructions.flatMap(({ flags }) => flags.get('from') ?? []);
  return new Set([name, ...[stage.from, ...sources].flatMap((source) => [...needed(stages, source)])]);
}

/** The stage below, or an image: of images only the Node and its licence are there. */
function begin(
  { from }: Stage,
  root: string,
  done: ReadonlyMap<string, Replayed>,
  { node }: ReplayOptions,
): Replayed {
  mkdirSync(root, { recursive: true });
  const below = done.get(from);
  if (below !== undefined) {
    copy(below.root, root);
    return { ...below, root };
  }
  if (/(^|\/)node:/.test(from)) {
    copy(node, path.join(root, NODE_PLACE));
    copy(path.join(node, '../../LICENSE'), path.join(root, NODE_PLACE, '../../LICENSE'));
  }
  return { ...EMPTY, root };
}

function replayStage(
  stage: Stage,
  start: Replayed,
  done: ReadonlyMap<string, Replayed>,
  options: ReplayOptions,
): Replayed {
  let state = start;
  for (const instruction of stage.instructions) {
    state = { ...state, ...changeBy(instruction, state) };
    if (instruction.name === 'COPY') copyInto(state, instruction, done, options);
    if (instruction.name === 'RUN') runIn(state, instruction, options);
  }
  return state;
}

function changeBy(instruction: Instruction, { env, root }: Replayed): Partial<Replayed> {
  const { name, rest, list = [] } = instruction;
  switch (name) {
    case 'WORKDIR':
      mkdirSync(path.join(root, rest), { recursive: true });
      return { workdir: rest };
    case 'ENV':
      return { env: { ...env, ...Object.fromEntries(assignmentsOf(instruction)) } };
    case 'USER':
      return { user: rest };
    case 'ENTRYPOINT':
      return { entrypoint: list, cmd: [] };
    case 'CMD':
      return { cmd: list };
    case 'HEALTHCHECK':
      return { healthcheck: list };
    default:
      return {};
  }
}

function copyInto(
  { root, workdir }: Replayed,
  { flags, rest }: Instruction,
  done: ReadonlyMap<string, Replayed>,
  { project, isSent }: ReplayOptions,
): void {
  const words = rest.split(/\s+/);
  const target = words.at(-1) ?? '';
  const from = flags.get('from');
  const sourceRoot = from === undefined ? project : done.get(from)?.root;
  if (sourceRoot === undefined) throw new Error(`COPY --from=${from}: there is no such stage`);
  for (const source of words.slice(0, -1)) {
    const file = path.join(sourceRoot, source);
    const into = path.join(root, path.resolve(workdir, target));
    // A folder's content is copied; a file goes below its own name when the target is a folder.
    const place =
      statSync(file).isDirectory() || !target.endsWith('/') ? into : path.join(into, path.basename(source));
    copy(file, place, from === undefined ? (one) => isSent(path.relative(project, one)) : undefined);
  }
}

function copy(from: string, to: string, filter: (path: string) => boolean = () => true): void {
  if (!filter(from)) throw new Error(`${from} is copied, but .dockerignore keeps it from the builder`);
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}

function runIn({ root, workdir, env }: Replayed, { rest }: Instruction, { log }: ReplayOptions): void {
  log(`  ${rest}`);
  const PATH = `${path.join(root, path.dirname(NODE_PLACE))}:${process.env['PATH'] ?? ''}`;
  const { status } = spawnSync('/bin/sh', ['-c', rest], {
    cwd: path.join(root, workdir),
    env: { ...ownEnvironment(), ...env, PATH },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`RUN ${rest} ended with ${status ?? 'a signal'}`);
}

/** What this machine needs to reach its registry, but not what an npm around us wants of its scripts. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isOurs = ([name]: [string, unknown]): boolean => !/^npm_|^NODE_ENV$|^NODE_OPTIONS$/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOurs));
}

/** Makes everything below the folder read-only, as on a read-only root file system. */
export function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) makeReadOnly(file);
    else if (entry.isFile()) chmodSync(file, statSync(file).mode & 0o555);
  }
  chmodSync(folder, 0o555);
}
