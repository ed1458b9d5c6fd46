import { serializeCookie, type SetCookie } from './cookies.ts';

/**
 * The size of a response head that nginx accepts by default (`proxy_buffer_size`: one page of memory, usually 4 KiB).
 * It answers 502 instead of a longer one.
 */
export const DEFAULT_PROXY_BUFFER_BYTES = 4_096;

/**
 * The head of the callback's response without its cookies: status line, security headers, request id and date. A
 * contract test compares it with a complete response in production.
 */
const OTHER_BYTES = 1_000;

/** The bytes of the head of a response that sets these cookies. */
export function responseHeadBytes(cookies: readonly SetCookie[]): number {
  const lines = cookies.map((cookie) => 'Set-Cookie: \r\n'.length + serializeCookie(cookie).length);
  return lines.reduce((sum, bytes) => sum + bytes, OTHER_BYTES);
}
