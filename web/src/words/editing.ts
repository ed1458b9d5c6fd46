/** What drafts, types and placed files say. */
export const ACCESS_ENTRY_WORDS = {
  tooMany: (most: number) => `A list has at most ${most} entries.`,
  invalid: (violation: string) => `An entry ${violation}.`,
};

export const DRAFT_WORDS = {
  keyMissing: 'The key is missing.',
  invalidKey: (most: string) => `Not a key: ${most}.`,
  duplicateKey: 'There is another row with this key.',
};

export const TYPE_RULES_WORDS = {
  violation: (violation: string) => `This type ${violation}.`,
  useless: 'This value is empty: the cluster accepts it, but nothing can use it.',
};

export const READINESS_WORDS = {
  noKey: 'A value has no key yet.',
  checkKey: (key: string) => `Check the key ${key} and its value.`,
  tooLarge: 'The values are too large together.',
  noMatch: 'The values do not match the type yet.',
};

export const SECRET_TYPES_WORDS = {
  opaque: 'Opaque: any keys and values',
  opaqueAbout: 'Any keys and values.',
  basicAuth: 'Basic authentication: user name and password',
  basicAuthAbout: 'Needs username or password.',
  sshAuth: 'SSH authentication: a private key',
  sshAuthAbout: 'Needs a private key that is not empty.',
  tls: 'TLS: a certificate and its key',
  tlsAbout: 'Needs the certificate and the key in PEM. Drop both files anywhere on the keys below.',
  registry: 'Docker registry: credentials for pulling images',
  registryAbout: 'Needs the address of the registry and its credentials.',
};

export const PLACED_FILES_WORDS = {
  certificates: 'the certificates',
  privateKey: 'the private key',
  to: (subject: string, key: string) => `${subject}to ${key}`,
  sameValue: (place: string) => `${place}, which had this value already`,
  replacing: (place: string) => `${place}, replacing its value`,
};
