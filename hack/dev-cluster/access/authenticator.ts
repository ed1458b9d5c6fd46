import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { SERVICE_ACCOUNT } from '../kinds/service-account.ts';
import { type Store } from '../store/store.ts';
import { readToken } from './tokens.ts';
import { ADMINISTRATOR, serviceAccountUser, type User } from './user.ts';

/** The user, or undefined when the request is not to be trusted (401). */
export type Authenticate = (headers: IncomingHttpHeaders) => User | undefined;

export interface AuthenticatorParts {
  readonly adminToken: string;
  readonly tokenKey: Buffer;
  readonly store: Store;
  readonly now: () => Date;
  /**
   * Whether no Authorization header is the administrator: kubectl sends no token over plain http. Right only
   * where only this machine's users can connect.
   */
  readonly allowsNoToken: boolean;
}

/** Who sends a request: the administrator, or a service account by a token that the cluster has issued. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticate {
  return (headers) => {
    if (headers.authorization === undefined) {
      return parts.allowsNoToken && !isFromBrowser(headers) ? ADMINISTRATOR : undefined;
    }
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
    if (token === undefined) return undefined;
    if (sameToken(token, parts.adminToken)) return ADMINISTRATOR;
    const claims = readToken(parts.tokenKey, token, parts.now());
    if (claims === undefined) return undefined;
    const account = parts.store.get(SERVICE_ACCOUNT, claims.namespace, claims.name);
    if (account?.metadata.uid !== claims.uid) return undefined;
    return serviceAccountUser(claims.namespace, claims.name);
  };
}

/** Pages of other sites that are open in the developer's browser must not act as the administrator. */
function isFromBrowser({ origin, host = '' }: IncomingHttpHeaders): boolean {
  return origin !== undefined || !isLoopback(host.replace(/:\d+$/, ''));
}

/** Whether a host name or address means this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?|localhost)$/.test(host);
}

function sameToken(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
