/** What the frame around every screen says. */
export const FRAME_WORDS = {
  product: 'Secrets',
  content: 'Content',
  skipToContent: 'Skip to content',
  navigation: 'Navigation',
  toggleNavigation: 'Show or hide the sidebar',
};

/** Of the button, the dialog and its field alike. */
export const SEARCH_LABEL = 'Search everything';

export const NAMESPACE_WORDS = {
  heading: 'Namespaces',
  all: 'All namespaces',
  choose: 'Choose a namespace',
  current: (namespace: string) => `Switch from ${namespace}`,
  filter: 'Find a namespace',
  starred: 'Starred',
  loading: 'Loading namespaces…',
  failed: "Couldn't load the namespaces",
  noMatch: 'No matches',
  more: (count: string) => `${count} more: type to narrow them down`,
  star: (namespace: string) => `Star ${namespace}`,
  unstar: (namespace: string) => `Remove the star of ${namespace}`,
  secrets: 'Secrets',
};

/** What lies beside the namespaces. */
export const VIEW_WORDS = {
  heading: 'Views',
  expiring: 'Expiring',
  certificates: 'certificates',
  deleted: 'Deleted',
  secrets: 'Secrets',
};

export const USER_WORDS = {
  menu: 'Your account',
  menuOf: (email: string) => `Your account, ${email}`,
  groups: 'Your groups',
  admin: "You're an administrator: no rule keeps you out.",
  groupsMatter: 'These decide what you can see.',
  noGroups: "You're not in any group. Only your email decides what you can see.",
  moreGroups: (count: string) => `and ${count} more`,
  lightTheme: 'Use light colors',
  darkTheme: 'Use dark colors',
  shortcuts: 'Keyboard shortcuts',
  signOut: 'Sign out',
  confirmTitle: 'Sign out without saving?',
  confirmBody: 'Your changes will be lost.',
  stay: 'Stay signed in',
  stillSignedIn: "You're still signed in. Try again.",
};

export const SHORTCUT_WORDS = {
  title: 'Keyboard shortcuts',
  help: 'Show these shortcuts',
  search: 'Search everything',
  ctrlK: 'Ctrl K',
  switcher: 'Choose a namespace',
  singleKeys: 'Use shortcuts of a single key',
  singleKeysHint: 'Turn them off if they get in the way of voice control or other tools.',
  close: 'Close',
};

export const LOAD_CODE_WORDS = {
  unreachable: 'The service cannot be reached',
};

export const SHELL_WORDS = {
  yourSecrets: 'your Secrets',
};

export const BROKEN_PAGE_WORDS = {
  notFound: 'Page not found',
  notFoundAdvice: 'There is nothing at this address. Check it for a typo.',
};
