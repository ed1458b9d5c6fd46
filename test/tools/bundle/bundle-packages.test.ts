import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundlePackages } from '../../../hack/bundle/bundle-packages.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bundle-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(file: string, text: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function install(name: string, text: string, type = 'commonjs'): void {
  const manifest = { name: path.basename(name), version: '1.2.3', type, main: 'index.js' };
  put(`node_modules/${name}/package.json`, JSON.stringify(manifest));
  put(`node_modules/${name}/index.js`, text);
}

async function bundle(imports: Readonly<Record<string, readonly string[]>>) {
  const names = new Map(Object.entries(imports).map(([specifier, some]) => [specifier, new Set(some)]));
  const { files, packages } = await bundlePackages(names, folder);
  for (const [file, text] of files) put(`dist/${file}`, text);
  put('dist/package.json', '{ "type": "module" }');
  const load = (file: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(path.join(folder, 'dist/node_modules', file)).href) as Promise<
      Record<string, unknown>
    >;
  return { files, packages, load };
}

it('keeps a package in files of its own, with what is used of it, and one instance for all who import it', async () => {
  install('state', "exports.seen = []; exports.unused = () => require('node:os');");
  install('a', "const { seen } = require('state'); seen.push('a'); module.exports = { seen };");
  install('b', "export { seen } from 'state'; export const dropped = 'dropped';", 'module');
  const { files, packages, load } = await bundle({ a: ['default'], b: ['seen'] });
  expect(packages.map((one) => one.folder)).toEqual(
    ['a', 'b', 'rolldown', 'state'].map((name) => `node_modules/${name}`),
  );
  expect(packages[0]?.entries).toEqual(new Map([['.', 'index.js']]));
  expect(packages[3]?.entries).toEqual(new Map());
  expect([...files.values()].join()).not.toContain('dropped');
  const [a, b] = [await load('a/index.js'), await load('b/index.js')];
  expect(a['default']).toEqual({ seen: ['a'] });
  expect(b['seen']).toBe((a['default'] as { seen: unknown }).seen);
});

it('keeps another version of a package where it was', async () => {
  install('a', "module.exports = [require('b'), 1];");
  install('a/node_modules/b', "module.exports = 'inner';");
  install('b', "module.exports = 'outer';");
  const { packages, load } = await bundle({ a: ['default'], b: ['default'] });
  expect(packages.map((one) => one.folder)).toContain('node_modules/a/node_modules/b');
  expect((await load('a/index.js'))['default']).toEqual(['inner', 1]);
  expect((await load('b/index.js'))['default']).toBe('outer');
});

it.each([
  ['a module that is missing', "require('missing');", /missing/],
  ['one that is missing where that is caught', "try { require('missing'); } catch {}", /missing/],
  ['a name that is computed', 'exports.load = (name) => require(name);', /computed at run time/],
  ['a file beside it', 'exports.file = __dirname;', /computed at run time/],
])('fails for %s', async (_what, text, problem) => {
  install('a', text);
  await expect(bundle({ a: ['default'] })).rejects.toThrow(problem);
});

it('fails for a name that a package does not export', async () => {
  install('a', 'export const one = 1;', 'module');
  await expect(bundle({ a: ['two'] })).rejects.toThrow('two');
});
