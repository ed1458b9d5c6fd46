import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { linear } from '../hack/linear-regex/eslint-rule.ts';

/** They run on a developer's machine only, and belong to no project of types. */
const BUILD_FILES = ['scripts/**', '*.config.*'];

// The linter itself is the service's own; only the rules that pages need differ.
export default tseslint.config(
  { ignores: ['dist/', 'node_modules/'] },
  { ...js.configs.recommended, ignores: BUILD_FILES },
  {
    // Texts come from strangers: what a pattern costs may grow with them, and no faster.
    files: ['**/*.{ts,tsx,js,mjs}'],
    ignores: ['test/**'],
    languageOptions: { parser: tseslint.parser },
    plugins: { 'linear-regex': { rules: { linear } } },
    rules: { 'linear-regex/linear': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    ignores: BUILD_FILES,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      // An arrow that sets a state returns nothing, and need not say so.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // There are no enums: `erasableSyntaxOnly` forbids them.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // A screen is read from top to bottom: what is longer than this is two things.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 60],
      'max-params': ['error', 4],
    },
  },
  {
    // Generated: it is as long as the API, and no one reads it from top to bottom.
    files: ['src/api/schema.ts'],
    rules: { '@typescript-eslint/consistent-indexed-object-style': 'off', 'max-lines': 'off' },
  },
);
