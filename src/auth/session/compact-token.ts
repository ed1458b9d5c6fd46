import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A session token in far fewer bytes for a cookie: the payload is compressed, the signature is unchanged. Expanding it
 * returns exactly the same token, and only that is verified. So this is another encoding of a JWT, not another kind of
 * token (docs/adr/0007-compact-session-cookies.md).
 */

/** No token contains a colon, and the number of a split one (`2:`) is not a letter. */
const PREFIX = 'z:';
const COMPACT = /^z:([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** The header of every token of this service: `{"alg":"HS256","typ":"JWT"}`. */
const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';

/**
 * The limit of an expanded payload: anyone can send a compact token, and it is expanded before its signature is
 * checked.
 */
export const MAX_PAYLOAD_BYTES = 32_768;

/** The compact form of a token; undefined for a token that cannot be written in it. */
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

/** The token of a compact form; undefined if it is not one. */
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

/** Malformed, truncated (`Z_…`), or longer than the limit. */
function isRefusedByZlib(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE');
}
