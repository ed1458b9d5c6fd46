import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '../api/status.ts';
import { SERVICE_ACCOUNT } from '../kinds/service-account.ts';
import { type Store } from '../store/store.ts';
import { readToken } from './tokens.ts';
import { ADMINISTRATOR, serviceAccountUser, type User } from './user.ts';

export type Authenticate = (authorization: string | undefined) => User;

/** Who sends a request. A token that is none is 401. */
export function createAuthenticator(options: {
  readonly adminToken: string;
  readonly tokenKey: Buffer;
  readonly store: Store;
  readonly now: () => Date;
  /**
   * Whether no Authorization header is the administrator: kubectl sends no token over plain http. Right only
   * where nobody but this machine's users can connect.
   */
  readonly allowsNoToken: boolean;
}): Authenticate {
  return (authorization) => {
    if (authorization === undefined && options.allowsNoToken) return ADMINISTRATOR;
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized();
    if (sameToken(token, options.adminToken)) return ADMINISTRATOR;
    const claims = readToken(options.tokenKey, token, options.now());
    if (claims === undefined) throw unauthorized();
    const account = options.store.get(SERVICE_ACCOUNT, claims.namespace, claims.name);
    if (account?.metadata.uid !== claims.uid) throw unauthorized();
    return serviceAccountUser(claims.namespace, claims.name);
  };
}

function sameToken(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
