/** A base URL or its path, in the form to which paths are appended. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}

/**
 * Whether a parsed address is on this machine. It goes by the host of the parser, not by the text: the parser has already turned
 * `127.1`, `0x7f.0.0.1` and `2130706433` into dotted decimals, and `localhost@` into user info.
 */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Whether an issuer is the address of a discovery document, which is below the issuer. */
export const namesDiscoveryDocument = (issuer: string): boolean => issuer.includes('/.well-known/');
