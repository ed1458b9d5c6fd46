import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { column, listRows, readDocument } from './markdown-tables.ts';
import { reasonWords } from './reason-words.ts';

const ROOT = resolve(import.meta.dirname, '../../../src');

const { words, unread } = reasonWords(programOf(), ROOT);
const listed = listedUnder('runbook.md', 'Reasons');
// The runbook points to these two.
const listedElsewhere = [
  ...listedUnder('sign-in.md', '`code` in the log line'),
  ...listedUnder('caching.md', 'Why a list was live'),
];
const isListed = (word: string) =>
  listedElsewhere.includes(word) || listed.some((entry) => isEntryOf(entry, word));

describe('the reasons of docs/runbook.md', () => {
  it('can all be read from the code', () => {
    expect([...unread]).toEqual([]);
    expect(words.size).toBeGreaterThan(150);
  });

  it('are all that the code can write', () => {
    expect([...words].filter((word) => !isListed(word))).toEqual([]);
  });

  it('can all be written by the code', () => {
    expect(listed.filter((entry) => ![...words].some((word) => isEntryOf(entry, word)))).toEqual([]);
  });

  it('are each listed once', () => {
    expect(listed.filter((entry, index) => listed.indexOf(entry) !== index)).toEqual([]);
    expect(listed.filter((entry) => listedElsewhere.includes(entry))).toEqual([]);
  });
});

/** Without the types of packages: no reason comes from them. */
function programOf(): ts.Program {
  const files = globSync('**/*.ts', { cwd: ROOT }).map((file) => join(ROOT, file));
  const tsconfig = join(ROOT, '../tsconfig.json');
  const { config } = ts.readConfigFile(tsconfig, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
  return ts.createProgram(files, { ...options, noResolve: true, types: [] });
}

/** The words of a list, without what follows a colon. */
function listedUnder(document: string, heading: string): readonly string[] {
  const entries = column(listRows(readDocument(document), heading, ['Reason', 'Meaning']), 'Reason');
  return entries.flatMap((entry) => entry.split(', ')).map((entry) => entry.split(':', 1)[0] ?? '');
}

/** An entry that ends with an ellipsis stands for all that begin so. */
function isEntryOf(entry: string, word: string): boolean {
  return entry.endsWith('…') ? word.startsWith(entry.slice(0, -1)) : word === entry;
}
