import { expiredCookie, type SetCookie } from '../session/cookies.ts';

/** What one login remembers between its two steps. The browser keeps it; the service does not. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly verifier: string;
}

/**
 * The names of the three transaction cookies of the contract.
 *
 * With the prefix `__Host-` a browser accepts a cookie from this host only, and sends none that a sibling host set for
 * their common domain. So no one can put their own login into another person's browser. The prefix requires the
 * attribute Secure, so development over plain http does without it.
 */
export function transactionCookieNames(secure: boolean): Readonly<Record<keyof Transaction, string>> {
  const prefix = secure ? '__Host-' : '';
  return {
    state: `${prefix}service_login_state`,
    nonce: `${prefix}service_login_nonce`,
    verifier: `${prefix}service_login_verifier`,
  };
}

/** Enough to sign in at the provider, including a second factor. */
const LIFETIME_SECONDS = 600;

export function transactionCookies(transaction: Transaction, secure: boolean): readonly SetCookie[] {
  const names = transactionCookieNames(secure);
  const cookie = (part: keyof Transaction): SetCookie => ({
    name: names[part],
    value: transaction[part],
    maxAgeSeconds: LIFETIME_SECONDS,
    secure,
  });
  return [cookie('state'), cookie('nonce'), cookie('verifier')];
}

/** The transaction; undefined unless all three cookies are present and not empty. */
export function readTransaction(
  cookies: ReadonlyMap<string, string>,
  secure: boolean,
): Transaction | undefined {
  const names = transactionCookieNames(secure);
  const [state, nonce, verifier] = [names.state, names.nonce, names.verifier].map((name) =>
    cookies.get(name),
  );
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

/** Whether the request has any cookie of a transaction. */
export function presentsTransaction(cookies: ReadonlyMap<string, string>, secure: boolean): boolean {
  return Object.values(transactionCookieNames(secure)).some((name) => cookies.has(name));
}

/** Consumes the transaction, whether or not the request had all cookies of it. */
export function consumedTransaction(secure: boolean): readonly SetCookie[] {
  return Object.values(transactionCookieNames(secure)).map((name) => expiredCookie(name, secure));
}
