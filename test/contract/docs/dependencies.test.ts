import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly hasInstallScript?: boolean; readonly version?: string }>
  >;
}

const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8');
const page = read('docs/dependencies.md');

/** The packages in the list under a heading. */
function packagesUnder(heading: string): readonly string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^- \[`([^`]+)`\]\(https:\/\/github\.com\/\S+\): \S/gm)].map(
    ([, name = '']) => name,
  );
}

describe.each([
  ['package.json', 'The service', ['dependencies']],
  ['package.json', 'Development', ['devDependencies', 'optionalDependencies']],
  ['web/package.json', 'The pages', ['dependencies']],
  ['web/package.json', 'Development of the pages', ['devDependencies']],
])('%s', (file, heading, kinds) => {
  const manifest = JSON.parse(read(file)) as Readonly<Record<string, Readonly<Record<string, string>>>>;

  it(`has the packages of "${heading}", each with its use and its repository`, () => {
    const names = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
    expect(packagesUnder(heading)).toEqual(names);
  });
});

it.each(['package-lock.json', 'web/package-lock.json'])(
  'no package of %s runs a script when it is installed',
  (file) => {
    const { packages } = JSON.parse(read(file)) as Lock;
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    // The two that macOS alone would get and vite does without.
    expect(scripted.map(([path]) => path).filter((path) => !path.endsWith('/fsevents'))).toEqual([]);
  },
);
