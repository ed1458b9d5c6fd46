import { builtInName, isBootstrapToken } from '../../../src/contract/secret-types.ts';

/** A key of a built-in type, as its form calls it. */
export interface TypeField {
  readonly key: string;
  readonly label: string;
}

const FIELDS: ReadonlyMap<string, readonly TypeField[]> = new Map([
  [
    'basic-auth',
    [
      { key: 'username', label: 'User name' },
      { key: 'password', label: 'Password' },
    ],
  ],
  ['ssh-auth', [{ key: 'ssh-privatekey', label: 'Private key' }]],
  [
    'tls',
    [
      { key: 'tls.crt', label: 'Certificate' },
      { key: 'tls.key', label: 'Private key' },
      { key: 'ca.crt', label: 'CA certificate' },
    ],
  ],
]);

const BOOTSTRAP_FIELDS: readonly TypeField[] = [
  { key: 'token-id', label: 'Token ID' },
  { key: 'token-secret', label: 'Token secret' },
  { key: 'expiration', label: 'Expires at' },
  { key: 'description', label: 'Description' },
  { key: 'usage-bootstrap-authentication', label: 'Usable for authentication' },
  { key: 'usage-bootstrap-signing', label: 'Usable for signing' },
  { key: 'auth-extra-groups', label: 'Extra groups' },
];

/** The keys of a type that its form has a field for, beside those of registries; none if it has no form. */
export function fieldsOfType(type: string): readonly TypeField[] {
  return isBootstrapToken(type) ? BOOTSTRAP_FIELDS : (FIELDS.get(builtInName(type) ?? '') ?? []);
}

const MULTI_LINE_KEYS = ['ssh-privatekey'];
const MULTI_LINE_ENDING =
  /\.(?:pem|crt|cer|key|csr|ya?ml|json|conf|cfg|properties|xml|toml|ini|env|txt|sh|sql)$/i;

/** Whether the value of a key usually has several lines. */
export function expectsLines(key: string): boolean {
  return MULTI_LINE_KEYS.includes(key) || MULTI_LINE_ENDING.test(key);
}

/** Whether the value of a key is a document, such as a certificate, for which nothing random makes sense. */
export function isDocument(key: string): boolean {
  return key === 'tls.key' || (expectsLines(key) && !key.endsWith('.key'));
}
