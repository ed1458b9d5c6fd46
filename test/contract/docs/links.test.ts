import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf } from './markdown-links.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const documents = [
  ...globSync('*.md', { cwd: ROOT }),
  ...globSync('docs/**/*.md', { cwd: ROOT }),
  ...globSync('{hack,kustomize}/**/*.md', { cwd: ROOT }),
  ...globSync('web/*.md', { cwd: ROOT }),
].toSorted();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('links', () => {
  it('are looked for in all documents', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/api.md', 'docs/architecture.md']));
    expect(documents.flatMap((file) => linksOf(read(file))).length).toBeGreaterThan(50);
  });

  it.each(documents)('of %s lead to files and headings that there are', (file) => {
    const astray: string[] = [];
    for (const { target } of linksOf(read(file))) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const destination = path === '' ? file : relative(ROOT, resolve(ROOT, dirname(file), path));
      if (!existsSync(join(ROOT, destination))) astray.push(target);
      else if (anchor !== undefined && !anchorsOf(read(destination)).has(anchor)) astray.push(target);
    }
    expect(astray).toEqual([]);
  });

  it('of the README lead to every document', () => {
    const linked = linksOf(read('README.md')).map(({ target }) => target);
    expect(linked).toEqual(expect.arrayContaining(globSync('docs/*.md', { cwd: ROOT })));
  });

  it.each([
    ['# Plain words', ['plain-words']],
    ['## `code` and, punctuation!', ['code-and-punctuation']],
    ['## Twice\n\n## Twice', ['twice', 'twice-1']],
    ['```\n# no heading\n```', []],
    ['## a_b `GET /c`', ['a_b-get-c']],
  ])('to the heading %j are %j', (document, anchors) => {
    expect([...anchorsOf(document)]).toEqual(anchors);
  });
});
