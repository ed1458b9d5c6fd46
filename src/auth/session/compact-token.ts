import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A session token as a cookie can carry it in far fewer bytes: the payload is compressed, the signature is as it was.
 * What comes out again is the token itself, character for character, and only that is verified; so that this is a way
 * of writing a JWT down, not another kind of token (docs/adr/0007-compact-session-cookies.md).
 */

/** No token has a colon, nor does the number of a split one (`2:`) begin with a letter. */
const PREFIX = 'z:';
const COMPACT = /^z:([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** The header of every token of this service: `{"alg":"HS256","typ":"JWT"}`. */
const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';

/** What a cookie can unfold to: anyone can send one, and it is unfolded before its signature can be checked. */
export const MAX_PAYLOAD_BYTES = 32_768;

/** The compact form of a token; undefined for one that it cannot hold. */
export function compactToken(token: string): string | undefined {
  const [header, payload = '', signature = ''] = token.split('.');
  if (header !== HEADER) return undefined;
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.byteLength > MAX_PAYLOAD_BYTES) return undefined;
  return `${PREFIX}${deflateRawSync(bytes, { level: 9 }).toString('base64url')}.${signature}`;
}

/** Whether this is the compact form of a token, or claims to be. */
export function isCompact(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** The token of a compact form; undefined for what is none. */
export function expandToken(text: string): string | undefined {
  const [, compressed = '', signature = ''] = COMPACT.exec(text) ?? [];
  if (compressed === '') return undefined;
  const payload = inflated(Buffer.from(compressed, 'base64url'));
  return payload && `${HEADER}.${payload.toString('base64url')}.${signature}`;
}

function inflated(compressed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(compressed, { maxOutputLength: MAX_PAYLOAD_BYTES });
  } catch (error) {
    if (isRefusedByZlib(error)) return undefined;
    throw error;
  }
}

/** Malformed or cut (`Z_…`), or more than the bound. */
function isRefusedByZlib(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE');
}
