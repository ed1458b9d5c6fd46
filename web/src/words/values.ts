/** What is said of values, their sizes and kinds. */
export const SIZE_WORDS = {
  b: (bytes: string) => `${bytes} B`,
  kb: (kilobytes: string) => `${kilobytes} KB`,
  mb: (megabytes: string) => `${megabytes} MB`,
  binary: 'binary',
};

export const VALUE_RULE_WORDS = {
  notUnicode: 'The value is not valid Unicode.',
  controlCharacters: 'The value has control characters, which only binary values may have.',
};

export const REGISTRIES_WORDS = {
  overriding:
    'This entry has other credentials in "auth" than in "username" and "password". Kubernetes uses those in "auth".',
};

export const UNSEEN_WORDS = {
  beginsBom: 'begins with a BOM',
  beginsWhiteSpace: 'begins with white space',
  linesEndWhiteSpace: 'has lines that end in white space',
  endsWhiteSpace: 'ends with white space',
  noBreakSpaces: 'has no-break spaces',
  unusualSpaces: 'has unusual spaces',
  zeroWidthCharacters: 'has zero-width characters',
  invisibleCharacters: 'has invisible characters',
  controlCharacters: 'has control characters',
  endsLineBreaks: (count: number) =>
    count === 1 ? 'ends with a line break' : `ends with ${count} line breaks`,
  crlfLineEndings: 'has CRLF line endings',
  mixedLineEndings: 'has mixed line endings',
  differsOnlyWhiteSpace: 'differs only in white space',
  differsOnlyInvisibleCharacters: 'differs only in invisible characters',
};

export const CERTIFICATE_NAMES_WORDS = {
  otherNameKind: (element: string) => `other name of kind ${element}`,
  registeredId: (element: string) => `registered id ${element}`,
  nameUnknownKind: 'name of an unknown kind',
  addressUnknownKind: 'address of an unknown kind',
};

export const TEXT_FILE_WORDS = {
  tooLarge: (name: string, maxBytes: string) => `${name}: larger than ${maxBytes}, so it was not read.`,
  unreadable: (name: string) => `${name}: it cannot be read.`,
  binary: (name: string) => `${name}: binary files cannot be stored as text. Use kubectl for binary values.`,
};

export const BINARY_KIND_WORDS = {
  javaKeystoreJks: 'Java keystore (JKS)',
  javaKeystoreJceks: 'Java keystore (JCEKS)',
  gzipData: 'gzip data',
  kerberosKeytab: 'Kerberos keytab',
  sqliteDatabase: 'SQLite database',
  textUtf16: 'text in UTF-16',
  der: 'DER data (certificate, key or PKCS #12 keystore)',
  unknown: 'unknown binary data',
};

export const VALUE_KIND_WORDS = {
  empty: 'Empty',
  certificate: (subject: string, others: number) =>
    `Certificate ${subject}${others === 0 ? '' : ` and ${others} more`}`.trim(),
  privateKey: 'Private key',
  publicKey: 'Public key',
  registries: (count: number) => (count === 1 ? '1 registry' : `${count} registries`),
};

export const LINE_DIFF_WORDS = {
  noBreakAtEnd: 'No line break at the end',
};
