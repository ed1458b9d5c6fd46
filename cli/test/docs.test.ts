import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withReference } from '../scripts/docs.ts';
import { manPage } from '../scripts/man-page.ts';
import { parseCommand } from '../src/command.ts';
import { COMMANDS } from '../src/commands/commands.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const DOCUMENTS = [
  ...['README.md', 'cli/README.md', 'cli/CI.md', 'hack/run.ts'],
  ...readdirSync(path.join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Each `secretsctl …` of a line of a block, by the words of a shell without substitutions. */
function commandLinesIn(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').flatMap((line) => line.split(/ \| |\|\| |&& /));
  return lines.flatMap((line) => {
    const [, words] =
      /^(?:\$ | *- (?:run: )?| {2})?(?:npx \.\/|cli\/)?secretsctl(?:-[\d.]+tgz)? ([a-z].*)$/.exec(line) ?? [];
    return words === undefined ? [] : [wordsOf(words.replace(/ > .*$/, ''))];
  });
}

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );

describe('the documents', () => {
  it('have the reference that the command table makes: npm run cli:docs', () => {
    expect(read('cli/README.md')).toBe(withReference(read('cli/README.md')));
  });

  it('show only command lines that the table can parse', () => {
    const lines = DOCUMENTS.flatMap((file) => commandLinesIn(read(file)));
    expect(lines.length).toBeGreaterThan(20);
    for (const [name = '', ...args] of lines) {
      const spec = COMMANDS.find((one) => one.name === name);
      if (spec === undefined) expect.fail(`there is no command ${name}`);
      expect(() => parseCommand(spec, args), `${name} ${args.join(' ')}`).not.toThrow();
    }
  });

  it('show only examples of the table that it can parse', () => {
    for (const { name, examples } of COMMANDS) {
      const lines = examples.flatMap((example) => commandLinesIn(`$ ${example}`));
      for (const [own = '', ...args] of lines) {
        const spec = COMMANDS.find((one) => one.name === own);
        expect(() => spec && parseCommand(spec, args), `${name}: ${args.join(' ')}`).not.toThrow();
      }
    }
  });

  it('have a man page with every command and option', () => {
    const page = manPage(COMMANDS, '1.2.3');
    for (const { name, options } of COMMANDS) {
      expect(page).toContain(`.SS secretsctl ${name}`);
      for (const option of Object.keys(options))
        expect(page).toContain(`\\-\\-${option.replaceAll('-', '\\-')}`);
    }
  });
});
