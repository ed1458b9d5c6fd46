import type { Row } from './draft.ts';
import { addRow } from './draft.ts';
import { DEFAULT_TYPE, isTypeKey, keysOfType } from '../../../src/contract/secret-types.ts';
import { SECRET_TYPES_WORDS } from '../words/editing.ts';

/** A kind of Secret that the create form offers. */
export interface SecretKind {
  readonly type: string;
  readonly label: string;
  readonly about: string;
}

export const SECRET_KINDS: readonly SecretKind[] = [
  { type: DEFAULT_TYPE, label: SECRET_TYPES_WORDS.opaque, about: SECRET_TYPES_WORDS.opaqueAbout },
  {
    type: 'kubernetes.io/basic-auth',
    label: SECRET_TYPES_WORDS.basicAuth,
    about: SECRET_TYPES_WORDS.basicAuthAbout,
  },
  {
    type: 'kubernetes.io/ssh-auth',
    label: SECRET_TYPES_WORDS.sshAuth,
    about: SECRET_TYPES_WORDS.sshAuthAbout,
  },
  {
    type: 'kubernetes.io/tls',
    label: SECRET_TYPES_WORDS.tls,
    about: SECRET_TYPES_WORDS.tlsAbout,
  },
  {
    type: 'kubernetes.io/dockerconfigjson',
    label: SECRET_TYPES_WORDS.registry,
    about: SECRET_TYPES_WORDS.registryAbout,
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
