/** What the parts of screens with values say. */
export const COPY_BUTTON_WORDS = {
  unchecked: "Copied, but couldn't check for a newer version.",
  copy: (of: string) => `Copy ${of}`,
  copied: (of: string) => `${of} is copied`,
};

export const SHOWN_VALUE_WORDS = {
  beginning: 'Only the beginning is shown. Copy gives you the whole value.',
  empty: 'empty',
  value: (of: string) => `Value of ${of}`,
  showAllLines: (lines: string) => `Show all ${lines} lines`,
  showWholeValue: 'Show the whole value',
};

export const MASKED_WORDS = {
  hidden: 'hidden',
  hide: (of: string) => `Hide ${of}`,
  reveal: (of: string) => `Reveal ${of}`,
  none: 'none',
  asBase64: (of: string) => `${of} as base64`,
};

export const WARNING_LIST_WORDS = {
  title: 'Check the certificate',
};

export const NEWER_VERSION_WORDS = {
  title: 'A newer version was saved',
  version: (version: number | undefined, by: string | undefined) =>
    `It is version ${version ?? '?'}${by === undefined ? '' : `, by ${by}`}`,
  valuesAreNew: ' The values below are the new ones.',
};

export const STATE_LABELS_WORDS = {
  deletionPending: 'deletion pending',
  immutable: 'immutable',
};

export const KEY_CHANGES_WORDS = {
  table: 'Changes by key',
  change: 'Change',
};
