import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shippedPackages } from '../../../hack/dependencies/licences.ts';
import { noticesText } from '../../../hack/dependencies/notices.ts';

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

it('has the licence and the notice of each package that is shipped, by name', () => {
  install({
    b: { 'LICENSE.md': 'terms of b', NOTICE: 'notice of b', 'index.js': 'code' },
    a: { 'license-mit.txt': 'terms of a' },
  });
  const text = noticesText([folder]);
  expect(text).toMatch(
    /^a 1\.2\.3 \(MIT\)\n\nterms of a\n\n-+\n\nb 1\.2\.3 \(MIT\)\n\nterms of b\n\nnotice of b$/,
  );
});

it('leaves out what only development needs', () => {
  install({ a: { LICENSE: 'terms of a' }, tool: { LICENSE: 'terms of tool' } }, ['tool']);
  expect(noticesText([folder])).not.toContain('tool');
});

it('names a package once that both the service and the pages ship', () => {
  install({ a: { LICENSE: 'terms of a' } });
  expect(noticesText([folder, folder]).match(/terms of a/g)).toHaveLength(1);
});

it('has every package of this project', () => {
  const text = noticesText(['.', 'web']);
  for (const home of ['.', 'web'])
    for (const path of shippedPackages(home))
      expect(text).toContain(`${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} `);
});
