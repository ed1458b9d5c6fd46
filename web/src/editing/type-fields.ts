import { builtInName, isBootstrapToken } from '../../../src/contract/secret-types.ts';
import { FIELD_WORDS } from '../words/edit.ts';

/** A key of a built-in type, as its form calls it. */
export interface TypeField {
  readonly key: string;
  readonly label: string;
}

const FIELDS: ReadonlyMap<string, readonly TypeField[]> = new Map([
  [
    'basic-auth',
    [
      { key: 'username', label: FIELD_WORDS.username },
      { key: 'password', label: FIELD_WORDS.password },
    ],
  ],
  ['ssh-auth', [{ key: 'ssh-privatekey', label: FIELD_WORDS.privateKey }]],
  [
    'tls',
    [
      { key: 'tls.crt', label: FIELD_WORDS.certificate },
      { key: 'tls.key', label: FIELD_WORDS.privateKey },
      { key: 'ca.crt', label: FIELD_WORDS.caCertificate },
    ],
  ],
]);

const BOOTSTRAP_FIELDS: readonly TypeField[] = [
  { key: 'token-id', label: FIELD_WORDS.tokenId },
  { key: 'token-secret', label: FIELD_WORDS.tokenSecret },
  { key: 'expiration', label: FIELD_WORDS.expiration },
  { key: 'description', label: FIELD_WORDS.description },
  { key: 'usage-bootstrap-authentication', label: FIELD_WORDS.forAuthentication },
  { key: 'usage-bootstrap-signing', label: FIELD_WORDS.forSigning },
  { key: 'auth-extra-groups', label: FIELD_WORDS.extraGroups },
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
