import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages } from '../dependencies/bundled.ts';
import { shippedPackages } from '../dependencies/licences.ts';
import { withoutSymbols } from '../image-node/without-symbols.ts';
import type { CheckResults } from './probe-service.ts';
import type { Replayed } from './replay.ts';

/** What the image may add to its base image, which is about 24 MB: 150 MB are the aim for both. */
const MAX_BYTES = 120_000_000;
/** The bundler, whose helpers are in the bundle. */
const BUNDLER = 'rolldown';

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dev?: true; readonly optional?: true }>
  >;
}

/** What the image holds, and no more. */
export function contentsOf({ root, entrypoint }: Replayed, project: string): CheckResults {
  const app = path.join(root, 'app');
  const lock = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8')) as Lock;
  const bundled = bundledPackages(app);
  const isLocked = bundled.every(({ path: home, name, version }) => {
    const locked = lock.packages[home];
    const isForDevelopment = locked?.dev === true || locked?.optional === true;
    return locked?.version === version && (name === BUNDLER || !isForDevelopment);
  });
  const notices = readFileSync(path.join(app, 'NOTICES'), 'utf8');
  const pages = shippedPackages(path.join(project, 'web')).map((home) =>
    home.slice(home.lastIndexOf('node_modules/') + 'node_modules/'.length),
  );
  const titles = [...bundled.map(({ name, version }) => `${name} ${version}`), ...pages, 'Node.js'];
  const [program = ''] = entrypoint;
  const node = readFileSync(process.execPath);
  return {
    'holds nothing but what it needs': sameMembers(readdirSync(app), [
      ...['LICENSE', 'NOTICES', 'dist', 'package.json', 'web'],
    ]),
    'holds the pages, and not their sources': sameMembers(readdirSync(path.join(app, 'web')), ['dist']),
    'holds code of locked packages, and of none for development': isLocked,
    'holds the notices of all that it ships': titles.every((title) => `\n${notices}`.includes(`\n${title} `)),
    'holds the Node of the build, without symbols': readFileSync(path.join(root, program)).equals(
      withoutSymbols(node) ?? node,
    ),
    'names the functions of a crash as that Node does':
      nativeStackOf(path.join(root, program)) === nativeStackOf(process.execPath),
    [`adds at most ${MAX_BYTES / 1e6} MB to its base image`]: bytesBelow(root) <= MAX_BYTES,
  };
}

/** The sizes of the parts, for people. */
export function sizesOf({ root }: Replayed): string {
  const parts = ['usr/local/bin', 'app/dist', 'app/web', 'app/NOTICES'];
  const sizes = parts.map((part) => `${part} ${(bytesBelow(path.join(root, part)) / 1e6).toFixed(1)} MB`);
  return `the image adds to its base image: ${sizes.join(', ')}`;
}

function bytesBelow(place: string): number {
  if (!statSync(place).isDirectory()) return statSync(place).size;
  return readdirSync(place).reduce((sum, name) => sum + bytesBelow(path.join(place, name)), 0);
}

/** The names that a Node finds for its own functions without a debugger. */
function nativeStackOf(node: string): string {
  const script = 'console.log(process.report.getReport().nativeStack.map(({ symbol }) => symbol).join())';
  const { stdout } = spawnSync(node, ['--eval', script], { encoding: 'utf8' });
  return stdout.replaceAll(node, '');
}

function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}
