import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shippedPackages } from '../../../hack/dependencies/licences.ts';
import { noticeOfNode, noticeOfPackage, noticesText } from '../../../hack/dependencies/notices.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notices-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function install(
  packages: Readonly<Record<string, Readonly<Record<string, string>>>>,
  dev: readonly string[] = [],
) {
  const lock = Object.fromEntries(
    Object.keys(packages).map((name) => [`node_modules/${name}`, dev.includes(name) ? { dev: true } : {}]),
  );
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...lock } }));
  for (const [name, files] of Object.entries(packages)) {
    const home = join(folder, 'node_modules', name);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), text);
  }
}

const textOf = (...folders: readonly string[]): string =>
  noticesText(
    folders.flatMap((home) => shippedPackages(home).map((path) => noticeOfPackage(join(home, path)))),
  );

it('has the licence and the notice of each package that is shipped, by name', () => {
  install({
    b: { 'LICENSE.md': 'terms of b', NOTICE: 'notice of b', 'index.js': 'code' },
    a: { 'license-mit.txt': 'terms of a' },
  });
  const text = textOf(folder);
  expect(text).toMatch(
    /^a 1\.2\.3 \(MIT\)\n\nterms of a\n\n-+\n\nb 1\.2\.3 \(MIT\)\n\nterms of b\n\nnotice of b$/,
  );
});

it('leaves out what only development needs', () => {
  install({ a: { LICENSE: 'terms of a' }, tool: { LICENSE: 'terms of tool' } }, ['tool']);
  expect(textOf(folder)).not.toContain('tool');
});

it('names a package once that both the service and the pages ship', () => {
  install({ a: { LICENSE: 'terms of a' } });
  expect(textOf(folder, folder).match(/terms of a/g)).toHaveLength(1);
});

it('has the licences of Node, from its distribution', () => {
  const notice = noticeOfNode();
  expect(notice.title).toBe(`Node.js ${process.versions.node}`);
  expect(notice.texts.join()).toContain('Copyright Node.js contributors');
});

it('names where the licences of Node are, if its image left them out', () => {
  expect(noticeOfNode(folder).texts).toEqual([
    `https://github.com/nodejs/node/blob/v${process.versions.node}/LICENSE`,
  ]);
});

it('has every package of the pages', () => {
  const text = textOf('web');
  for (const path of shippedPackages('web'))
    expect(text).toContain(`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} `);
});
