import { expiredCookie, type Cookies, type SetCookie } from '../session/cookies.ts';

const PARTS = ['state', 'nonce', 'verifier'] as const;
type TransactionValue = (typeof PARTS)[number];

/**
 * What one login remembers between its two steps. The browser keeps it, in the three cookies of the contract; the service
 * does not. The verifier is that of PKCE (RFC 7636).
 */
export type Transaction = Readonly<Record<TransactionValue, string>>;

/**
 * The name of a transaction cookie.
 *
 * With the prefix `__Host-` a browser accepts a cookie from this host only, and sends none that a sibling host set for
 * their common domain. So no one can put their own login into another person's browser. The prefix requires the
 * attribute Secure, so development over plain http does without it.
 */
export function transactionCookieName(part: TransactionValue, secure: boolean): string {
  return `${secure ? '__Host-' : ''}service_login_${part}`;
}

/** Enough to sign in at the provider, including a second factor. */
const LIFETIME_SECONDS = 600;

export function transactionCookies(transaction: Transaction, secure: boolean): readonly SetCookie[] {
  return PARTS.map((part) => ({
    name: transactionCookieName(part, secure),
    value: transaction[part],
    maxAgeSeconds: LIFETIME_SECONDS,
    secure,
  }));
}

/** The transaction; undefined unless all three cookies are present and not empty. */
export function readTransaction(cookies: Cookies, secure: boolean): Transaction | undefined {
  const [state, nonce, verifier] = PARTS.map((part) => cookies.get(transactionCookieName(part, secure)));
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

/** Whether the request has any cookie of a transaction. */
export function presentsTransaction(cookies: Cookies, secure: boolean): boolean {
  return PARTS.some((part) => cookies.has(transactionCookieName(part, secure)));
}

/** Consumes the transaction, whether or not the request had all cookies of it. */
export function consumedTransaction(secure: boolean): readonly SetCookie[] {
  return PARTS.map((part) => expiredCookie(transactionCookieName(part, secure), secure));
}
