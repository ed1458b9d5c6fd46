import { isBuiltin } from 'node:module';
import path from 'node:path';
import { rolldown, type OutputChunk, type Plugin, type RolldownOutput } from 'rolldown';
import type { PackageImports } from './package-imports.ts';

/** A package of which the bundle holds code. */
export interface BundledPackage {
  /** Where it is installed, below the project: `node_modules/express`. */
  readonly folder: string;
  /** The file of each path that the service imports it by, below its folder: `.` → `index.js`. */
  readonly entries: ReadonlyMap<string, string>;
}

export interface Bundle {
  /** The text of each file by its path, such as `node_modules/express/express.js`. */
  readonly files: ReadonlyMap<string, string>;
  readonly packages: readonly BundledPackage[];
}

/** The bundler's own helpers, of which its output has some. */
const RUNTIME = 'rolldown';
const ENTRY = '\0entry:';

/** What packages use where it is installed, and do without in the image: no dependency of theirs brings it. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['supports-color', 'colours of what the package `debug` prints'],
]);

/**
 * Packages that load a module or a file whose name is computed at run time. A bundle has none of those, so the service must not use
 * what needs them.
 */
const LOADS_AT_RUN_TIME: ReadonlyMap<string, string> = new Map([
  ['express', 'template engines, for response.render()'],
  ['pino', 'transports'],
  ['thread-stream', "the worker of pino's transports"],
  ['undici', 'its own file name, where there is one'],
]);
const RUN_TIME_LOAD = /\b__(?:dirname|filename)\b|\b__require\((?!")/;

/**
 * Bundles what is imported of packages: one file per package, which holds what is used of it, and one that is imported in its place.
 * What a package imports on demand is still loaded on demand.
 * @param root the folder whose node_modules holds the packages
 * @throws when a module is missing, or anything else is worth a warning
 */
export async function bundlePackages(imports: PackageImports, root: string): Promise<Bundle> {
  const warnings: string[] = [];
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([...imports.keys()].map((specifier) => [specifier, ENTRY + specifier])),
    platform: 'node',
    external: [...ABSENT.keys()],
    // Paths in comments must not depend on where the packages are.
    resolve: { symlinks: false },
    // Its index imports every kind of Kubernetes. Of these modules only what is imported by name is needed.
    treeshake: { moduleSideEffects: [{ test: /\/@kubernetes\/client-node\//, sideEffects: false }] },
    preserveEntrySignatures: 'allow-extension',
    onLog: (_level, { message }) => warnings.push(message),
    plugins: [entries(imports)],
  });
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: ({ name }) => entryFile(name),
    chunkFileNames: ({ name }) => chunkFile(name === 'rolldown-runtime' ? RUNTIME : name),
    // Packages import each other in circles.
    strictExecutionOrder: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'packages', name: (id) => packageOf(path.relative(root, id)) ?? null }],
    },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await build.close();
  const chunks = chunksOf(output);
  const problems = [...warnings, ...chunks.flatMap((chunk) => problemsOf(chunk, chunks))];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    files: new Map(chunks.map(({ fileName, code }) => [fileName, code])),
    packages: packagesOf(chunks),
  };
}

/** The modules that the service imports in place of the packages: they export what it uses. */
function entries(imports: PackageImports): Plugin {
  return {
    name: 'entries',
    resolveId: (id) => (id.startsWith(ENTRY) ? id : null),
    load(id) {
      if (!id.startsWith(ENTRY)) return null;
      const specifier = id.slice(ENTRY.length);
      const from = `from ${JSON.stringify(specifier)};\n`;
      const names = [...(imports.get(specifier) ?? [])].toSorted();
      const named = names.filter((name) => name !== '*');
      return `${names.includes('*') ? `export * ${from}` : ''}export { ${named.join(', ')} } ${from}`;
    },
  };
}

function chunksOf(output: RolldownOutput['output']): readonly OutputChunk[] {
  return output.filter((one) => one.type === 'chunk').toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

function problemsOf(chunk: OutputChunk, chunks: readonly OutputChunk[]): readonly string[] {
  const { fileName, code, imports, dynamicImports } = chunk;
  const required = [...code.matchAll(/\b__require\("([^"]+)"\)/g)].map(([, specifier = '']) => specifier);
  const missing = [...imports, ...dynamicImports, ...required].filter(
    (specifier) =>
      !isBuiltin(specifier) && !ABSENT.has(specifier) && !chunks.some((one) => one.fileName === specifier),
  );
  const name = path.dirname(fileName).slice('node_modules/'.length);
  const isUnknown = RUN_TIME_LOAD.test(code) && !LOADS_AT_RUN_TIME.has(name);
  return [
    ...missing.map((specifier) => `${fileName} imports ${specifier}, which is not in the bundle`),
    ...(isUnknown ? [`${fileName} loads what is computed at run time: see LOADS_AT_RUN_TIME`] : []),
  ];
}

function packagesOf(chunks: readonly OutputChunk[]): readonly BundledPackage[] {
  const folders = [
    ...new Set(chunks.filter(({ isEntry }) => !isEntry).map(({ fileName }) => path.dirname(fileName))),
  ];
  return folders.map((folder) => {
    const own = chunks.filter(
      ({ isEntry, name }) => isEntry && `node_modules/${splitSpecifier(name).name}` === folder,
    );
    const files = own.map(
      ({ name, fileName }) => [splitSpecifier(name).subpath, path.relative(folder, fileName)] as const,
    );
    return { folder, entries: new Map(files) };
  });
}

/** The package that a file belongs to, as a path: `express`, `@scope/one/node_modules/other`; undefined outside node_modules. */
function packageOf(file: string): string | undefined {
  const parts = file.split(path.sep);
  const home = parts.lastIndexOf('node_modules') + 1;
  if (parts[0] !== 'node_modules') return undefined;
  return parts.slice(1, parts[home]?.startsWith('@') === true ? home + 2 : home + 1).join('/');
}

function splitSpecifier(specifier: string): { readonly name: string; readonly subpath: string } {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  return { name: parts.slice(0, length).join('/'), subpath: ['.', ...parts.slice(length)].join('/') };
}

function entryFile(specifier: string): string {
  const { name, subpath } = splitSpecifier(specifier);
  return path.join('node_modules', name, subpath, 'index.js');
}

/** Named like the package, which the first frame of a stack then names. */
function chunkFile(name: string): string {
  return path.join('node_modules', name, `${path.basename(name, '.js')}.js`);
}
