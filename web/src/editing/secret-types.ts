import type { AccessLevel, GivenLevel } from '../../../src/contract/access-rules.ts';
import { allows } from './rules.ts';
import {
  builtInName,
  DEFAULT_TYPE,
  isBootstrapToken,
  isServiceAccountToken,
  isTypeKey,
  keysOfType,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
} from '../../../src/contract/secret-types.ts';
import { bytesOf } from '../../../src/contract/text.ts';
import { OVERRIDING, registriesOf } from '../values/registries.ts';
import { isFile, type Value } from '../values/value.ts';
import { addRow, type Row } from './draft.ts';

/** What the form of a type calls its keys. */
export type TypeFields = ReadonlyMap<string, string>;

const fields = (labels: Readonly<Record<string, string>>): TypeFields => new Map(Object.entries(labels));

/** The kinds of Secrets that the create form offers. Registries have a form of their own. */
export const SECRET_KINDS = [
  {
    type: DEFAULT_TYPE,
    label: 'Opaque: any keys and values',
    about: 'Any keys and values.',
  },
  {
    type: 'kubernetes.io/basic-auth',
    label: 'Basic authentication: user name and password',
    about: 'Needs username or password.',
    fields: fields({ username: 'User name', password: 'Password' }),
  },
  {
    type: 'kubernetes.io/ssh-auth',
    label: 'SSH authentication: a private key',
    about: 'Needs a private key that is not empty.',
    fields: fields({ 'ssh-privatekey': 'Private key' }),
  },
  {
    type: 'kubernetes.io/tls',
    label: 'TLS: a certificate and its key',
    about: 'Needs the certificate and the key in PEM. Drop both files anywhere on the keys below.',
    fields: fields({ 'tls.crt': 'Certificate', 'tls.key': 'Private key', 'ca.crt': 'CA certificate' }),
  },
  {
    type: 'kubernetes.io/dockerconfigjson',
    label: 'Docker registry: credentials for pulling images',
    about: 'Needs the address of the registry and its credentials.',
  },
];

const BOOTSTRAP_FIELDS = fields({
  'token-id': 'Token ID',
  'token-secret': 'Token secret',
  expiration: 'Expires at',
  description: 'Description',
  'usage-bootstrap-authentication': 'Usable for authentication',
  'usage-bootstrap-signing': 'Usable for signing',
  'auth-extra-groups': 'Extra groups',
});
export const NO_FORM = fields({});

/** The keys of a type that its form has a field for; none if it has no form. */
export function fieldsOfType(type: string): TypeFields {
  if (isBootstrapToken(type)) return BOOTSTRAP_FIELDS;
  const name = builtInName(type);
  return SECRET_KINDS.find((kind) => builtInName(kind.type) === name)?.fields ?? NO_FORM;
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

/** The rows that a type begins with; what was typed already stays. */
export function rowsForType(type: string, rows: readonly Row[]): readonly Row[] {
  const keys = keysOfType(type);
  const kept = rows
    .filter(({ key, value }) => value !== '' || (key !== '' && !isTypeKey(key)))
    .map((row) => ({ ...row, fixed: keys.includes(row.key) }));
  const withKeys = keys.reduce<readonly Row[]>(
    (all, key) => (all.some((row) => row.key === key) ? all : addRow(all, { key, fixed: true })),
    kept,
  );
  return withKeys.length === 0 ? addRow([]) : withKeys;
}

/** What a type still requires. */
export interface TypeNeed {
  /** The key whose value is at fault; undefined when a key is missing, or nothing can help. */
  readonly key: string | undefined;
  readonly text: string;
}

const ANY_VALUE = bytesOf('{}');

/** A stored value fits its type already. */
function bytesHere(value: Value): Uint8Array {
  if (isFile(value)) return value.bytes;
  return typeof value === 'string' ? bytesOf(value) : ANY_VALUE;
}

/** What stands between these rows and their type, or undefined. */
export function typeNeed(type: string, rows: readonly Row[]): TypeNeed | undefined {
  if (isServiceAccountToken(type)) return { key: undefined, text: `${SERVICE_ACCOUNT_TOKEN_RULE}.` };
  const keys = keysOfType(type);
  const ruled = rows.filter(({ key }) => keys.includes(key));
  const data = new Map(ruled.map(({ key, value }) => [key, bytesHere(value)]));
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return undefined;
  return {
    key: keys.every((key) => data.has(key)) ? keys[0] : undefined,
    text: `This type ${violation}.`,
  };
}

/** The keys that cannot go: without one of them the type's rule does not hold, whatever the others hold. */
export function indispensableKeys(type: string, rows: readonly Row[]): readonly string[] {
  const keys = keysOfType(type);
  const present = keys.filter((key) => rows.some((row) => row.key === key));
  return present.filter((key) => {
    const others = present.filter((other) => other !== key);
    return typeRuleViolation(type, new Map(others.map((other) => [other, ANY_VALUE]))) !== undefined;
  });
}

/** What a type allows and no one can use, or uses in another way than it looks. */
export function typeWarning(type: string, { key, value }: Row): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (
    builtInName(type) === 'dockerconfigjson' &&
    registriesOf(key, value)?.some(({ isOverriding }) => isOverriding)
  ) {
    return OVERRIDING;
  }
  const useless = value === '' && builtInName(type) === 'tls' && keysOfType(type).includes(key);
  return useless ? 'This value is empty: the cluster accepts it, but nothing can use it.' : undefined;
}

/** For a key with certificates, the private key that is to fit, or nothing where none is expected; otherwise undefined. */
export function privateKeyOf(type: string, key: string, rows: readonly Row[]): Value | undefined {
  if (builtInName(type) !== 'tls' || (key !== 'tls.crt' && key !== 'ca.crt')) return undefined;
  return key === 'ca.crt' ? '' : (rows.find((row) => row.key === 'tls.key')?.value ?? '');
}

/** Whether a Secret of this type may be changed: tokens that the cluster manages can be deleted alone. */
export function allowsChange(level: GivenLevel | undefined, wanted: AccessLevel, type: string): boolean {
  return allows(level, wanted) && !isServiceAccountToken(type);
}
