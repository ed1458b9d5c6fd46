import type { Row } from './draft.ts';
import { addRow } from './draft.ts';
import { DEFAULT_TYPE, isTypeKey, keysOfType } from '../../../src/contract/secret-types.ts';

/** A kind of Secret that the create form offers. */
export interface SecretKind {
  readonly type: string;
  readonly label: string;
  readonly about: string;
}

export const SECRET_KINDS: readonly SecretKind[] = [
  { type: DEFAULT_TYPE, label: 'Opaque: any keys and values', about: 'Any keys and values.' },
  {
    type: 'kubernetes.io/basic-auth',
    label: 'Basic authentication: user name and password',
    about: 'Needs username or password.',
  },
  {
    type: 'kubernetes.io/ssh-auth',
    label: 'SSH authentication: a private key',
    about: 'Needs a private key that is not empty.',
  },
  {
    type: 'kubernetes.io/tls',
    label: 'TLS: a certificate and its key',
    about: 'Needs the certificate and the key in PEM. Drop both files anywhere on the keys below.',
  },
  {
    type: 'kubernetes.io/dockerconfigjson',
    label: 'Docker registry: credentials for pulling images',
    about: 'Needs the address of the registry and its credentials.',
  },
];

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
