import { createSecretKey } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { POD } from '../kinds/installation.ts';
import { SERVICE_ACCOUNT } from '../kinds/service-account.ts';
import { type Store } from '../store/store.ts';
import { isSameText, ISSUER, readToken, type ReadToken } from './tokens.ts';
import { ADMINISTRATOR, serviceAccountUser, type User } from './user.ts';

/** The user, or undefined when the request is not to be trusted (401). */
export type Authenticate = (headers: IncomingHttpHeaders) => User | undefined;

interface JudgeParts {
  readonly adminToken: string;
  readonly tokenKey: Buffer;
  readonly store: Store;
  readonly now: () => Date;
}

/** Whom a token speaks for, to some audiences, or why it speaks for no one. */
export type Verdict =
  | { readonly user: User; readonly audiences: readonly string[]; readonly token?: ReadToken }
  | { readonly error: string };

/** Judges a token that is presented to one of these audiences. */
export type JudgeToken = (token: string, audiences: readonly string[]) => Verdict;

/** The audience of the cluster API itself. */
export const API_AUDIENCE = ISSUER;

export function createTokenJudge(parts: JudgeParts): JudgeToken {
  const tokenKey = createSecretKey(parts.tokenKey);
  return (text, wanted) => {
    const isAdmin = isSameText(text, parts.adminToken);
    const token = isAdmin ? undefined : readToken(tokenKey, text, parts.now());
    if (!isAdmin && token === undefined) return { error: 'invalid bearer token' };
    const own = token?.audiences ?? [API_AUDIENCE];
    const audiences = own.filter((audience) => wanted.includes(audience));
    if (audiences.length === 0) {
      const rule = `token audiences ${goList(own)} is invalid for the target audiences ${goList(wanted)}`;
      return { error: `[invalid bearer token, ${rule}]` };
    }
    if (token === undefined) return { user: ADMINISTRATOR, audiences };
    const { namespace, name, uid, pod } = token.account;
    const exists =
      parts.store.get(SERVICE_ACCOUNT, namespace, name)?.metadata.uid === uid &&
      (pod === undefined || parts.store.get(POD, namespace, pod.name)?.metadata.uid === pod.uid);
    if (!exists) return { error: '[invalid bearer token, service account token has been invalidated]' };
    return { user: serviceAccountUser(namespace, name), audiences, token };
  };
}

/** As Go prints a list of texts. */
function goList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
}

/**
 * Who sends a request: the administrator, or a service account by a token that the cluster has issued.
 * @param allowsNoToken whether no Authorization header is the administrator: kubectl sends no token over plain http. Right
 *   only where only this machine's users can connect.
 */
export function createAuthenticator(judge: JudgeToken, allowsNoToken: boolean): Authenticate {
  return (headers) => {
    if (headers.authorization === undefined) {
      return allowsNoToken && !isFromBrowser(headers) ? ADMINISTRATOR : undefined;
    }
    const token = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1];
    if (token === undefined) return undefined;
    const verdict = judge(token, [API_AUDIENCE]);
    return 'user' in verdict ? verdict.user : undefined;
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
