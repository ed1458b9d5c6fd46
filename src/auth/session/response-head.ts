import { serializeCookie, type SetCookie } from './cookies.ts';

/**
 * What nginx reads of the head of an answer unless it is told otherwise (`proxy_buffer_size`: one page of memory, 4 KiB
 * nearly everywhere). It answers 502 in place of a longer one.
 */
export const DEFAULT_PROXY_BUFFER_BYTES = 4_096;

/**
 * What the head of the callback's answer holds beside its cookies: status line, security headers, request id and date.
 * A contract test compares it with a whole answer in production.
 */
const OTHER_BYTES = 1_000;

/** The bytes of the head of an answer that sets these cookies. */
export function responseHeadBytes(cookies: readonly SetCookie[]): number {
  const lines = cookies.map((cookie) => 'Set-Cookie: \r\n'.length + serializeCookie(cookie).length);
  return lines.reduce((sum, bytes) => sum + bytes, OTHER_BYTES);
}
