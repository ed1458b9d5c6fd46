import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// The linter itself is the service's own; only the rules that pages need differ.
export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'src/api/schema.ts', 'scripts/', '*.config.*'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      // An arrow that sets a state returns nothing, and need not say so.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
);
