/** What the list of Secrets says. */
export const LIST_WORDS = {
  secrets: 'Secrets',
  scrollable: 'Secrets, scrollable',
  create: 'Create',
  createFirst: 'Create a Secret',
  refresh: 'Refresh the list',
  refreshFailed: "Couldn't refresh the list",
  asOf: (time: string) => `As of ${time}`,
  asOfHint: 'When the cluster was in this state. Refresh reads it again.',
  count: (shown: number, all: number) => `${shown} of ${all} ${all === 1 ? 'Secret' : 'Secrets'}`,
  countLoaded: (shown: string, loaded: string, all: string) =>
    `${shown} among the first ${loaded} of ${all} Secrets`,
  coming: 'Loading',
  loadingMore: '· loading…',
  moreFailed: "Couldn't load more Secrets",
  tryAgain: 'Try again',
  loadMore: 'Load more',
  bounded:
    'In a long list, the text is searched for in all Secrets; the other filters apply to those that are loaded.',
  filterPages: 'Filter by name, key or description',
  filter: 'Filter by name, key, description or access',
  clearFilters: 'Clear filters',
  noMatch: 'No matches',
  noMatchHint: 'No Secret in this namespace matches.',
  searchEverywhere: 'Search all namespaces',
  none: 'No Secrets to show',
  noneCreate: 'Create the first one.',
  noneForbidden: 'To get access, contact an administrator or an owner of the namespace.',
  noSuchNamespace: 'Namespace not found',
  noSuchNamespaceHint: 'Check the address for a typo, or choose a namespace from the list.',
  showNamespaces: 'Show namespaces',
};

export const COLUMN_WORDS = {
  name: 'Name',
  type: 'Type',
  keys: 'Keys',
  expires: 'Expires',
  access: 'Access',
  changed: 'Changed',
};

/** Orders, each in both directions, for windows that are too narrow for all headings. */
export const ORDER_WORDS = {
  label: 'Order',
  name: ['Name, A to Z', 'Name, Z to A'],
  type: ['Type, A to Z', 'Type, Z to A'],
  keys: ['Fewest keys first', 'Most keys first'],
  expires: ['Expires first', 'Expires last'],
  changed: ['Oldest change first', 'Newest change first'],
} as const;

export const FILTER_WORDS = {
  filters: (active: number) => (active === 0 ? 'Filter and sort' : `Filter and sort (${active})`),
  type: 'Type',
  allTypes: 'All types',
  expires: 'Expires',
  expiry: {
    all: 'Any expiry',
    expired: 'Expired',
    soon: 'Expires within 30 days',
    certificate: 'Has a certificate',
  },
  writer: 'Written by',
  writers: {
    all: 'Any writer',
    controller: 'Written by a controller',
    service: 'Managed by this service',
    unmanaged: 'Not managed yet',
  },
  access: 'Access',
  accesses: {
    all: 'Any access',
    mine: 'Names me or my groups',
    rules: 'Has rules of its own',
    namespace: 'By namespace',
    changed: 'Last changed by me',
  },
};

export const BADGE_WORDS = {
  expires: (when: string) => `expires ${when}`,
  expired: (when: string) => `expired ${when}`,
  controlledBy: (kind: string, name: string | undefined) =>
    name === undefined ? `${kind} overwrites edits` : `${kind} ${name} overwrites edits`,
};

export const ACCESS_WORDS = {
  byNamespace: 'namespace',
  more: (count: number) => `and ${count} more`,
};

export const ROW_WORDS = {
  keys: (count: number) => (count === 0 ? 'no keys' : `${count} keys`),
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all that are shown',
  actions: (name: string) => `Actions for ${name}`,
  menu: 'Actions',
  edit: 'Edit',
  history: 'History',
  copy: 'Copy to…',
  duplicate: 'Duplicate',
  copyKey: 'Copy a value',
  copied: (key: string) => `${key} is copied.`,
  noText: (key: string) => `${key} was not copied: it is binary, or no longer there.`,
  notCopied: (key: string) => `Couldn't copy ${key}. Open the Secret to see why.`,
  delete: 'Delete',
  selectHeading: 'Selection',
};

export const SELECTION_WORDS = {
  selected: (count: number) => `${count} selected`,
  access: 'Change access',
  delete: 'Delete',
  clear: 'Clear selection',
  most: (count: number) => `At most ${count} at a time.`,
};

export const ROWS_TO_DRAW_WORDS = {
  gapEnd: 'gap at the end',
};

export const LIST_PAGE_WORDS = {
  theSecrets: 'the Secrets',
};
