/** What the values of a Secret say. */
export const NAMED_VALUE_WORDS = {
  asBase64: (name: string) => `${name} as base64`,
};

export const VALUE_DETAILS_WORDS = {
  certificate: 'Certificate',
  subject: 'Certificate for',
  noSubject: '(no subject)',
  names: 'Names',
  issuedBy: 'Issued by',
  valid: 'Valid',
  to: 'to',
  expired: ' (expired)',
  registries: 'Registries',
  registry: 'Registry',
  userName: 'User name',
  password: 'Password',
  passwordOf: (server: string) => `the password of ${server}`,
};

export const REVEALED_VALUE_WORDS = {
  asStored: 'Show as it is stored',
  asJson: 'Show as formatted JSON',
};

export const VALUES_PANEL_WORDS = {
  of: (length: number, length2: number) => `${length} of ${length2}`,
};

export const DETAIL_PAGE_WORDS = {
  deleted: 'Deleted',
  pendingAdvice: '. It stays until its finalizers are removed.',
  reloadFailed: "Couldn't reload the Secret",
  pending: 'Deletion started, waiting for finalizers',
};
