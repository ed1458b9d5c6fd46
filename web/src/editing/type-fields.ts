import { builtInName, isBootstrapToken } from '../../../src/contract/secret-types.ts';

/** A key of a built-in type, as its form calls it. */
export interface TypeField {
  readonly key: string;
  readonly label: string;
}

const fields = (labels: Readonly<Record<string, string>>): readonly TypeField[] =>
  Object.entries(labels).map(([key, label]) => ({ key, label }));

const FIELDS: ReadonlyMap<string | undefined, readonly TypeField[]> = new Map([
  ['basic-auth', fields({ username: 'User name', password: 'Password' })],
  ['ssh-auth', fields({ 'ssh-privatekey': 'Private key' })],
  ['tls', fields({ 'tls.crt': 'Certificate', 'tls.key': 'Private key', 'ca.crt': 'CA certificate' })],
]);

const BOOTSTRAP_FIELDS = fields({
  'token-id': 'Token ID',
  'token-secret': 'Token secret',
  expiration: 'Expires at',
  description: 'Description',
  'usage-bootstrap-authentication': 'Usable for authentication',
  'usage-bootstrap-signing': 'Usable for signing',
  'auth-extra-groups': 'Extra groups',
});

/** The keys of a type that its form has a field for, beside those of registries; none if it has no form. */
export function fieldsOfType(type: string): readonly TypeField[] {
  return isBootstrapToken(type) ? BOOTSTRAP_FIELDS : (FIELDS.get(builtInName(type)) ?? []);
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
