import { timingSafeEqual } from 'node:crypto';
import { expiredCookie, type SetCookie } from './cookies.ts';

/** What one login must remember between the two halves. It lives in the browser; nothing is kept here. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The three transaction cookies of the contract. */
export const TRANSACTION_COOKIES = {
  state: 'service_login_state',
  nonce: 'service_login_nonce',
  verifier: 'service_login_verifier',
} as const;

/** Time for the user to sign in at the provider, a second factor included. */
const LIFETIME_SECONDS = 600;

const NAMES = Object.values(TRANSACTION_COOKIES);

export function transactionCookies(transaction: Transaction, secure: boolean): readonly SetCookie[] {
  const cookie = (name: string, value: string): SetCookie => ({
    name,
    value,
    maxAgeSeconds: LIFETIME_SECONDS,
    secure,
  });
  return [
    cookie(TRANSACTION_COOKIES.state, transaction.state),
    cookie(TRANSACTION_COOKIES.nonce, transaction.nonce),
    cookie(TRANSACTION_COOKIES.verifier, transaction.verifier),
  ];
}

/** The transaction; undefined unless all three cookies are present and nonempty. */
export function readTransaction(cookies: ReadonlyMap<string, string>): Transaction | undefined {
  const [state, nonce, verifier] = NAMES.map((name) => cookies.get(name));
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

/** Consumes the transaction, whether or not the request carried all of it. */
export function consumedTransaction(secure: boolean): readonly SetCookie[] {
  return NAMES.map((name) => expiredCookie(name, secure));
}

/** Whether the callback's state is the transaction's, in time that does not depend on where they differ. */
export function sameState(given: string | null, expected: string): boolean {
  if (given === null) return false;
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
