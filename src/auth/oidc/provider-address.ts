/** Which addresses of the provider are allowed. */
export interface AddressPolicy {
  /** OIDC_ALLOW_HTTP: plain http on loopback hosts. */
  readonly allowHttp: boolean;
  /** Production refuses plain http, whatever else is set. */
  readonly production: boolean;
}

/** Whether tokens and codes may be sent to this address. */
export function isSecureAddress(address: string, { allowHttp, production }: AddressPolicy): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && allowHttp && !production && isLoopback(hostname);
}

/**
 * Checks the parsed host, not the text: the URL parser has already turned `127.1`, `0x7f.0.0.1` and `2130706433` into
 * dotted decimals, and `localhost@` into user info.
 */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
