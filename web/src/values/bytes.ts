import { bytesOf } from '../../../src/contract/text.ts';
import { formatNumber } from './format.ts';

/** Bytes of a text in UTF-8, as the cluster counts them. */
export const utf8Bytes = (text: string): number => bytesOf(text).byteLength;

export function base64Of(bytes: Uint8Array): string {
  let text = '';
  // In pieces, since a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

const PIECE = 8_192;

/** A size for people: exact below a kilobyte, rounded above. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024
    ? `${formatNumber(Math.round(kilobytes * 10) / 10)} KB`
    : `${formatNumber(Math.round((kilobytes / 1024) * 100) / 100)} MB`;
}
