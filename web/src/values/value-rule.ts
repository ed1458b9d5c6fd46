import { hasBinaryControl } from '../rules/contract.ts';

/** Why a text cannot be a value, or undefined. */
export function valueProblem(value: string): string | undefined {
  if (!value.isWellFormed()) return 'The value is not valid Unicode.';
  if (hasBinaryControl(value)) return 'The value has control characters, which only binary values may have.';
  return undefined;
}

/** The text that a file holds; undefined when it is binary. */
export function textOfFile(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return hasBinaryControl(text) ? undefined : text;
  } catch {
    return undefined; // not UTF-8
  }
}
