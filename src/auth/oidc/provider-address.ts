import { isLoopback } from '../../config/loopback.ts';

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
  const url = new URL(address);
  const { protocol, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && allowHttp && !production && isLoopback(url);
}
