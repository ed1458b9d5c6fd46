import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundlePackages, type BundledPackage } from './bundle/bundle-packages.ts';
import { packageImportsOf } from './bundle/package-imports.ts';

// Puts what dist/ imports of packages into dist/node_modules, so that dist/ runs without the packages that are installed beside it.
// The second part of `npm run build:service`; docs/adr/0005-an-image-without-a-shell.md has the reasons.

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');

function compiledModules(): ReadonlyMap<string, string> {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.startsWith('node_modules/'))
    .toSorted();
  return new Map(files.map((file) => [`dist/${file}`, readFileSync(path.join(DIST, file), 'utf8')]));
}

/** What Node, and whoever lists the packages of an image, reads of a package. */
function manifestOf({ folder, entries }: BundledPackage): string {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const exports = Object.fromEntries([...entries].map(([subpath, file]) => [subpath, `./${file}`]));
  return `${JSON.stringify({ name, version, license, type: 'module', exports }, null, 2)}\n`;
}

rmSync(path.join(DIST, 'node_modules'), { recursive: true, force: true });
const { files, packages } = await bundlePackages(packageImportsOf(compiledModules()), ROOT);
const manifests = packages.map((one) => [`${one.folder}/package.json`, manifestOf(one)] as const);
for (const [file, text] of [...files, ...manifests]) {
  const target = path.join(DIST, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}
const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
console.log(`Bundled ${packages.length} packages: ${(bytes / 1e6).toFixed(1)} MB`);
