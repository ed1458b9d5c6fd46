import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { functionLines } from './hack/eslint/function-lines.ts';
import { linear } from './hack/linear-regex/eslint-rule.ts';

export default tseslint.config(
  {
    ignores: ['dist/', 'cli/dist/', 'coverage/', 'reports/', 'node_modules/', '.dev/', 'test/data/', 'web/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers and booleans read well in messages; everything else must be turned into text on purpose.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A type alias of an object and an interface are both fine; consistency per file is for the reviewer.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // There are no enums: `erasableSyntaxOnly` forbids them.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // The environment is read by src/config and by the entry that hands it over, and by nobody else.
    files: ['src/**/*.ts'],
    ignores: ['src/main.ts', 'src/cmd/doctor.ts', 'src/cmd/history.ts', 'src/config/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings come from src/config.' },
      ],
    },
  },
  {
    // The pages import these files as they are, and a browser has none of Node's globals.
    files: ['src/contract/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'Buffer', 'process', 'global', 'setImmediate'] },
  },
  {
    // Texts come from strangers: what a pattern costs may grow with them, and no faster. Tests read texts of their own.
    files: ['src/**/*.ts', 'chart/*.ts', 'cli/src/**/*.ts', 'hack/**/*.ts', '*.js', '*.ts', '.*.cjs'],
    plugins: { 'linear-regex': { rules: { linear } } },
    rules: { 'linear-regex/linear': 'error' },
  },
  {
    // The prover itself has to make patterns of what it is given.
    files: ['hack/linear-regex/char-ranges.ts', 'hack/linear-regex/linear-regexp.ts'],
    rules: { 'linear-regex/linear': 'off' },
  },
  {
    // A file or a function that is longer does two things.
    files: ['src/**/*.ts', 'cli/src/**/*.ts', 'hack/**/*.ts'],
    plugins: { size: { rules: { functionLines } } },
    rules: {
      'max-lines': ['error', 300],
      'size/functionLines': 'error',
      'max-params': ['error', 4],
      complexity: ['error', 20],
    },
  },
  {
    // Four parameters are a limit of the code that is shipped or run by people: a table of cases may pass more to its test.
    files: ['test/**/*.ts', 'cli/test/**/*.ts'],
    plugins: { size: { rules: { functionLines } } },
    rules: { 'max-lines': ['error', 300], 'size/functionLines': 'error' },
  },
  {
    // Suites that several stores or versions pass: lists of tests, as the callback of a describe is.
    files: ['test/**/*.contract.ts', 'test/contract/secrets/delete-{races,steps}.test.ts'],
    rules: { 'size/functionLines': 'off' },
  },
  {
    files: ['test/**/*.ts', 'hack/**/*.ts', 'chart/*.ts', 'cli/scripts/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
