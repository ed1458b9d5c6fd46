/**
 * What a body holds, or undefined when it is not JSON in UTF-8. `JSON.parse` keeps keys such as `__proto__` as own
 * properties; its error quotes the text, so it is not passed on.
 */
export function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
