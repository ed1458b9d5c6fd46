/** Keeps no state between two bodies: each is decoded as a whole. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The parsed body, or undefined if it is not JSON in UTF-8. `JSON.parse` keeps keys such as `__proto__` as own
 * properties. Its error quotes the text, so it is dropped.
 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
