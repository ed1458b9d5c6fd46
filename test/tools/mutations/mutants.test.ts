import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plant, titleOf } from '../../mutations/mutant.ts';
import { MUTANTS } from '../../mutations/mutants.ts';
import { stagesFor } from '../../mutations/stages.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const sourceOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the list of planted bugs', () => {
  it.each(MUTANTS.map((mutant) => [titleOf(mutant), mutant] as const))(
    'still applies to the code: %s',
    (_title, mutant) => {
      const source = sourceOf(mutant.file);
      expect(plant(source, mutant)).not.toBe(source);
    },
  );

  it('has tests to hold each of them against', () => {
    for (const { file } of MUTANTS) expect(stagesFor(ROOT, file)).not.toEqual([]);
  });

  it('describes each bug once', () => {
    expect(new Set(MUTANTS.map(titleOf)).size).toBe(MUTANTS.length);
    const changes = MUTANTS.map(({ file, find, replace }) => [file, find, replace].join('\0'));
    expect(new Set(changes).size).toBe(MUTANTS.length);
  });

  it.each(['src/history/', 'src/history/reconciler/', 'src/secrets/', 'src/access/'])(
    'has bugs in %s',
    (folder) => {
      expect(MUTANTS.some(({ file }) => file.startsWith(folder))).toBe(true);
    },
  );
});

describe('planting a bug', () => {
  const mutant = { file: 'a.ts', what: 'it is wrong', find: 'right', replace: '$& or wrong' };

  it('replaces the one place, whatever the text of the replacement', () => {
    expect(plant('all is right;', mutant)).toBe('all is $& or wrong;');
  });

  it.each([
    ['does not occur', 'all is well'],
    ['occurs twice', 'right is right'],
  ])('fails where the text %s', (_case, text) => {
    expect(() => plant(text, mutant)).toThrow('a.ts: it is wrong: the text to replace occurs');
  });
});
