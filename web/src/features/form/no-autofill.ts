/** A value is neither filled in nor kept by the browser or a password manager: it is not one of a website. */
export const NO_AUTOFILL = {
  autoComplete: 'off',
  spellCheck: false,
  autoCapitalize: 'off',
  'data-1p-ignore': 'true',
  'data-bwignore': 'true',
  'data-lpignore': 'true',
  'data-form-type': 'other',
} as const;
