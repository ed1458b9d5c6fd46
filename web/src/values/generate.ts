/** What can be generated, as it is called. Lengths are characters of an alphabet, and bytes of hex and base64. */
export const GENERATED = {
  letters: 'Letters and digits',
  symbols: 'Letters, digits and symbols',
  hex: 'Hex',
  base64: 'Base64',
  uuid: 'UUID',
};

export type Generated = keyof typeof GENERATED;

export interface GeneratorSettings {
  readonly kind: Generated;
  readonly length: number;
}

export const DEFAULT_SETTINGS: GeneratorSettings = { kind: 'letters', length: 32 };
export const LENGTHS = { min: 8, max: 512 } as const;

type Random = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SYMBOLS = `${LETTERS}!#%&()*+,-./:;<=>?@[]^_{|}~`;

/** A new value from the browser's cryptographic source. */
export function generate(
  { kind, length }: GeneratorSettings,
  random: Random = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = (count: number) => random(new Uint8Array(count));
  switch (kind) {
    case 'letters':
      return charactersOf(LETTERS, length, bytes);
    case 'symbols':
      return charactersOf(SYMBOLS, length, bytes);
    case 'hex':
      return hexOf(bytes(length));
    case 'base64':
      return btoa(String.fromCharCode(...bytes(length)));
    case 'uuid':
      return uuidOf(bytes(16));
  }
}

/** A byte beyond the last whole multiple of the alphabet is thrown away: it would make its first characters likelier. */
function charactersOf(alphabet: string, length: number, bytes: (count: number) => Uint8Array): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of bytes(length)) {
      if (byte < limit && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Version 4 (RFC 9562, section 5.4). `crypto.randomUUID` is missing on http origins. */
function uuidOf(bytes: Uint8Array): string {
  const marked = bytes.map((byte, at) =>
    at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const hex = hexOf(marked);
  const ends = [8, 12, 16, 20, 32];
  return ends.map((end, at) => hex.slice(ends[at - 1] ?? 0, end)).join('-');
}
