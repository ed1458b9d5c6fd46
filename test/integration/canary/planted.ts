import { randomBytes } from 'node:crypto';

/** Something that is put in somewhere, and that may come out again only in the answers that must hold it. */
export interface Planted {
  readonly name: string;
  readonly text: string;
  /** The spellings in which it would still be readable. */
  readonly forms: readonly string[];
}

export function plant(name: string, text = `canary-${name}-${randomBytes(6).toString('hex')}`): Planted {
  return { name, text, forms: formsOf(Buffer.from(text)) };
}

export function formsOf(bytes: Buffer): readonly string[] {
  const base64 = bytes.toString('base64');
  return [
    bytes.toString('utf8'),
    // The last characters depend on what follows, so a longer text that begins with the same bytes is found, too.
    base64.slice(0, Math.floor(bytes.length / 3) * 4),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(bytes.toString('utf8')),
  ];
}

/** The names of what is found in a text. */
export function foundIn(text: string, planted: readonly Planted[]): readonly string[] {
  return planted.filter(({ forms }) => forms.some((form) => text.includes(form))).map(({ name }) => name);
}
