import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { column, listRows, readDocument, tableRows } from '../../unit/observability/markdown-tables.ts';

const SOURCES = new URL('../../../src', import.meta.url);
const modules = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();
const architecture = readDocument('architecture.md');

it('docs/architecture.md lists every module, and of no other', () => {
  expect(
    column(listRows(architecture, 'Modules', ['Module', 'Beyond the picture']), 'Module').toSorted(),
  ).toEqual(modules);
});

it('the picture of the modules shows every module', () => {
  const picture = /```mermaid\nflowchart[\s\S]*?```/.exec(architecture)?.[0] ?? '';
  for (const module of modules) expect(picture).toContain(`${module}["${module}: `);
});

/** The paths of files that a text has in backticks. */
const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);

it('docs/architecture.md names only files that there are', () => {
  const files = ['src', 'web/src', 'test'].flatMap((tree) =>
    readdirSync(new URL(`../../../${tree}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${tree}/${file}`,
    ),
  );
  const named = filesIn(architecture);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !files.some((known) => `/${known}`.endsWith(`/${file}`)))).toEqual([]);
});

it('says of each thing that someone adds where its code is, and one test of it', () => {
  const rows = tableRows(architecture, 'What');
  expect(rows.map((row) => row.get('What'))).toEqual([
    'a check of an update',
    'a metric',
    'a route',
    'a setting',
    'a bound',
    'a page of a list',
    'a login hint',
    'deletion of a snapshot',
    'an audit field',
    'a log event',
    'a screen',
    'a watch event',
  ]);
  for (const row of rows) {
    expect(row.get('Code')).toMatch(/\b(?:web\/)?src\//);
    const test = row.get('Its test') ?? '';
    expect(test).toMatch(/^test\/[\w./-]+\.test\.ts$/);
    expect(existsSync(new URL(`../../../${test}`, import.meta.url)), test).toBe(true);
  }
});

it.each([
  ['An update', 40, 'src'],
  ['A list from the cache', 22, 'src'],
  ['A callback of a login', 20, 'src'],
  ['From a watch to a reconcile', 20, 'src'],
  ['An edit in the pages', 28, 'web/src'],
])('the journey "%s" opens at most %i files, each under its whole path and once', (name, most, tree) => {
  const [, journey = ''] = new RegExp(`- \\*\\*${name}\\b([\\s\\S]*?\\.)\\n`).exec(architecture) ?? [];
  const files = filesIn(journey);
  expect(files.length).toBeGreaterThan(most / 2);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(new Set(files).size).toBe(files.length);
  expect(files.filter((file) => !existsSync(new URL(`../../../${tree}/${file}`, import.meta.url)))).toEqual(
    [],
  );
});

it('the imports of every module are enforced', () => {
  const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
    readonly forbidden: readonly { readonly name: string }[];
  };
  const enforced = forbidden.map(({ name }) => name);
  expect(enforced).toEqual(expect.arrayContaining(modules.map((module) => `${module}-imports`)));
});
