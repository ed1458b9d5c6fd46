/** What the list of namespaces says. */
export const NAMESPACES_PAGE_WORDS = {
  theNamespaces: 'the namespaces',
  none: 'No namespaces yet',
  noneAdvice: 'Contact an administrator to have your namespace added.',
  filter: 'Filter namespaces by name',
  count: (shown: number, all: number) => `${shown} of ${all} ${all === 1 ? 'namespace' : 'namespaces'}`,
  continueWith: 'Continue with',
  canCreate: 'can create',
};
