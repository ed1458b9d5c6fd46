/** What signing in, and the end of a session, say. */
export const OTHER_USER_WORDS = {
  title: 'This page belongs to someone else',
  explain: (email: string, owner: string) =>
    `You're signed in as ${email}, but ${owner} opened this page. Its content is hidden, and cannot be saved, until ${owner} signs in again.`,
  signInAs: (email: string) => `Sign in as ${email}`,
  discard: 'Discard and reload',
};

export const SESSION_EXPIRED_WORDS = {
  title: 'Your session has ended',
  explain: (isKept: boolean) => `${isKept ? 'What you typed is kept. ' : ''}Sign in again to continue here.`,
  noSession: 'There is no new session yet.',
  signIn: 'Sign in in a new tab',
  signedIn: 'Continue',
};

export const LOGIN_PAGE_WORDS = {
  documentTitle: 'Sign in · Secrets',
  product: 'Secrets',
  lead: 'Find, change and restore the Secrets of your namespaces.',
  signIn: 'Sign in',
  code: 'Code:',
  notSetUp: "Sign-in isn't set up on this service.",
  notSetUpAdvice: 'An administrator has to set OIDC_ISSUER and OIDC_CLIENT_ID.',
  noProvider: "The identity provider isn't available right now.",
  tooMany: 'Too many sign-ins from your address.',
  unreachable: 'The service cannot be reached.',
};
