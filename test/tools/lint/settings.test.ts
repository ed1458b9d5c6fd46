import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url).pathname;
const LONG_FUNCTION = `function long() {${'\n'.repeat(60)}}`;
/** What each rule of the table below would find, in one text. */
const TEXT = [
  'export const slow = /(?:a|A)*$/i;',
  'export const of = (a: number, b: number, c: number, d: number, e: number) => [a, b, c, d, e];',
  'console.log(process.env.HOME, slow == of);',
  `export ${LONG_FUNCTION}`,
  '\n'.repeat(300),
].join('\n');

const EVERYWHERE = ['eqeqeq'];
const SIZE = ['max-lines', 'function-lines'];
const FILES: readonly (readonly [file: string, ...rules: readonly string[]])[] = [
  ['src/lists/a.ts', 'linear-pattern', 'no-restricted-properties', 'no-console', 'max-params', ...SIZE],
  ['src/main.ts', 'linear-pattern', 'no-console', 'max-params', ...SIZE],
  ['src/config/a.ts', 'linear-pattern', 'no-console', 'max-params', ...SIZE],
  [
    'src/contract/a.ts',
    ...['linear-pattern', 'no-restricted-properties', 'no-restricted-globals', 'no-console', 'max-params'],
    ...SIZE,
  ],
  ['hack/run.ts', 'linear-pattern', 'max-params', ...SIZE],
  ['hack/linear-regex/linear-regexp.ts', 'max-params', ...SIZE],
  ['cli/src/a.ts', 'linear-pattern', 'no-console', 'max-params', ...SIZE],
  ['cli/scripts/a.ts', 'linear-pattern'],
  ['chart/a.ts', 'linear-pattern'],
  ['vitest.config.ts', 'linear-pattern', 'no-console'],
  ['test/unit/a.test.ts', ...SIZE],
  ['test/fakes/a.contract.ts', 'max-lines'],
  ['web/src/main.tsx', 'linear-pattern', 'no-console', 'max-params', ...SIZE],
  ['web/src/api/schema.ts', 'linear-pattern', 'no-console', 'max-params', 'function-lines'],
  ['web/scripts/a.ts', 'linear-pattern'],
  ['web/vite.config.ts', 'linear-pattern', 'no-console'],
  ['web/test/a.test.ts', 'no-console'],
];

let folder: string;
let found: ReadonlyMap<string, ReadonlySet<string>>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-settings-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  mkdirSync(join(folder, 'hack/lint'), { recursive: true });
  writeFileSync(join(folder, 'hack/lint/plugin.ts'), `export { default } from '${ROOT}hack/lint/plugin.ts';`);
  for (const [file] of FILES) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), TEXT);
  }
  found = problems();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The rules that find something, by file. */
function problems(): ReadonlyMap<string, ReadonlySet<string>> {
  const { stdout } = spawnSync(`${ROOT}node_modules/.bin/oxlint`, ['--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly filename: string; readonly code: string }[];
  };
  const byFile = new Map<string, Set<string>>();
  for (const { filename, code } of diagnostics) {
    const rules = byFile.get(filename) ?? new Set();
    byFile.set(filename, rules.add(/\((.+)\)$/.exec(code)?.[1] ?? code));
  }
  return byFile;
}

const CHECKED = new Set([...FILES.flatMap(([, ...rules]) => rules), ...EVERYWHERE]);

it.each(FILES)('in %s', (file, ...rules) => {
  const own = [...(found.get(file) ?? [])].filter((rule) => CHECKED.has(rule));
  expect(own.toSorted()).toEqual([...rules, ...EVERYWHERE].toSorted());
});
