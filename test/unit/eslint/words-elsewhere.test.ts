import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { wordsElsewhere } from '../../../hack/eslint/words-elsewhere.ts';

const linter = new Linter();
const problemsOf = (code: string) =>
  linter.verify(
    code,
    {
      files: ['**/*.tsx'],
      languageOptions: { parser: tseslint.parser },
      plugins: { local: { rules: { wordsElsewhere } } },
      rules: { 'local/wordsElsewhere': 'error' },
    },
    'screen.tsx',
  );

describe('words outside of src/words', () => {
  it.each([
    ['text of an element', 'const a = <p>Save</p>;'],
    ['text between expressions', 'const a = <p>{count} of {all}</p>;'],
    ['a label', 'const a = <button aria-label="close" />;'],
    ['a label that is made', 'const a = <button title={`hide ${key}`} />;'],
    ['one of two labels', "const a = <input placeholder={short ? 'x' : HINT} />;"],
    ['one of two texts', "const a = <p>{isDone ? 'done' : WORDS.wait}</p>;"],
    ['a sentence in a table', "const a = { gone: 'it no longer exists' };"],
    ['a sentence with a name in it', 'const a = `${name} is saved`;'],
    ['a word that begins a label', "const a = isRunning ? 'Cancel' : WORDS.close;"],
    ['a text of an error that people read', "throw new ApiError('no answer came');"],
    ['a title of the document', "document.title = 'Sign in';"],
  ])('are found as %s', (_what, code) => {
    expect(problemsOf(code)).toMatchObject([{ messageId: 'elsewhere' }]);
  });

  it.each([
    ['words from their module', 'const a = <p title={WORDS.title}>{WORDS.save(name)}</p>;'],
    ['signs', 'const a = <p title="→">· {count} ({all})</p>;'],
    ['classes', 'const a = <p className={isWide ? "facts wide" : "facts"} id="The id" />;'],
    ['keys and their comparison', "if (event.key === 'Home' || event.key === 'Page up') go('Escape');"],
    ['selectors', "const a = find('.row input, .row button') ?? find('input, [role=menu]');"],
    ['errors of developers', "throw new Error('used outside of the pages');"],
    ['names of modules and types', "import a from './A file.ts'; let b: 'Some name';"],
    ['a request', 'const a = `GET ${path}/versions`;'],
    ['PEM', "const a = '-----BEGIN CERTIFICATE-----';"],
  ])('are not %s', (_what, code) => {
    expect(problemsOf(code)).toEqual([]);
  });
});
