/** What the forms of a Secret say. */
export const GENERATOR_WORDS = {
  open: 'Generate',
  openFor: (what: string) => `Generate a value of ${what}`,
  group: (what: string) => `Generator for ${what}`,
  kind: 'Kind',
  kinds: {
    letters: 'Letters and digits',
    symbols: 'Letters, digits and symbols',
    hex: 'Hex',
    base64: 'Base64',
    uuid: 'UUID',
  },
  characters: 'Characters',
  bytes: 'Bytes',
  use: 'Use a generated value',
};

export const EDIT_WORDS = {
  changes: (count: number) => (count === 1 ? '1 change' : `${count} changes`),
};
