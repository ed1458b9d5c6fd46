/** What parts of several screens say. */
export const PROBLEM_WORDS = {
  requestId: 'Request ID:',
  searchFor: (name: string) => `Search for ${name}`,
  noConnection: 'No connection',
  badAddress: "This address doesn't work",
  badAddressAdvice: 'Check it for a typo.',
  signedOut: "You're signed out",
  signInAgain: 'Sign in again to continue here.',
  noAccess: "You don't have access",
  noAccessAdvice: "The access rules don't include you or your groups.",
  notFound: 'Not found',
  notFoundAdvice: 'It was deleted, never existed, or is hidden from you.',
  tooManyRequests: 'Too many requests',
  unavailable: 'Not available right now',
  unavailableAdvice: 'Nothing was changed. Try again. If it keeps happening, contact an administrator.',
  otherwise: 'Something went wrong',
  unexpected: 'An unexpected error occurred on this page',
  showSecrets: (namespace: string) => `Show Secrets in ${namespace}`,
};

export const THEME_TOGGLE_WORDS = {
  useColors: { light: 'Use light colors', dark: 'Use dark colors' },
};

export const WHEN_WORDS = {
  unknown: 'unknown',
};
