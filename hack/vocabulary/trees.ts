import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findWords, withoutQuotes } from './find-words.ts';

/** What is held to the table: folders end in a slash. */
export const TREES: readonly string[] = [
  '.github/',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'Dockerfile',
  'Makefile',
  'README.md',
  'SECURITY.md',
  'SUPPORT.md',
  'chart/',
  'cli/',
  'docs/',
  'hack/',
  'kustomize/',
  'manifests/',
  'src/',
  'test/',
  'web/',
];

/** What is not the project's own text, or has to contain the words. */
const EXCEPT: readonly { readonly path: string; readonly why: string }[] = [
  { path: 'hack/vocabulary/table.ts', why: 'is the table' },
  { path: 'test/tools/vocabulary/vocabulary.test.ts', why: 'plants the words' },
  { path: 'test/data/', why: 'holds recordings of a real API server and of earlier versions' },
];

/** Notes on upgrades have to name what an older version called by a word of the table: in backticks. */
const MAY_QUOTE: readonly string[] = ['CHANGELOG.md', 'docs/operations.md'];

const TEXT = /\.(?:ts|tsx|js|mjs|cjs|css|html|md|sh|ya?ml|json)$/;

/** One line `file:line: …` per use; a word in a file's name is at line 0. */
export function problemsIn(trees: readonly string[]): {
  readonly files: number;
  readonly problems: string[];
} {
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...trees],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => isOurs(file));
  return { files: files.length, problems: files.flatMap(problemsOf) };
}

const isOurs = (file: string): boolean =>
  (TEXT.test(file) || (file !== '' && !file.includes('.'))) &&
  !EXCEPT.some(({ path }) => file === path || (path.endsWith('/') && file.startsWith(path)));

function problemsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const name = findWords(file.replace(/[/.-]/g, ' ')).map((use) => ({ ...use, line: 0 }));
  const uses = findWords(MAY_QUOTE.includes(file) ? withoutQuotes(text) : text);
  return [...name, ...uses].map(
    ({ line, word, instead }) => `${file}:${line}: "${word.trim()}"; write: ${instead}`,
  );
}
