import { DOCKER_KEY } from '../values/registries.ts';
import type { Row } from './draft.ts';
import { addRow } from './draft.ts';

/** A kind of Secret that the create form knows. */
export interface SecretKind {
  readonly type: string;
  readonly label: string;
  readonly about: string;
  /** Keys that the form starts with. */
  readonly keys: readonly string[];
}

export const OPAQUE = 'Opaque';
export const TLS = 'kubernetes.io/tls';
export const DOCKER = 'kubernetes.io/dockerconfigjson';

export const SECRET_KINDS: readonly SecretKind[] = [
  { type: OPAQUE, label: 'Opaque: any keys and values', about: 'Any keys and values.', keys: [] },
  {
    type: 'kubernetes.io/basic-auth',
    label: 'Basic authentication: user name and password',
    about: 'Needs username or password.',
    keys: ['username', 'password'],
  },
  {
    type: 'kubernetes.io/ssh-auth',
    label: 'SSH authentication: a private key',
    about: 'Needs a private key that is not empty.',
    keys: ['ssh-privatekey'],
  },
  {
    type: TLS,
    label: 'TLS: a certificate and its key',
    about: 'Needs the certificate and the key in PEM. Drop both files anywhere on the keys below.',
    keys: ['tls.crt', 'tls.key'],
  },
  {
    type: DOCKER,
    label: 'Docker registry: credentials for pulling images',
    about: 'Needs the address of the registry and its credentials.',
    keys: [DOCKER_KEY],
  },
];

/** The rows that a type begins with; what was typed already stays. */
export function rowsForType(type: string, rows: readonly Row[]): readonly Row[] {
  const keys = SECRET_KINDS.find((kind) => kind.type === type)?.keys ?? [];
  const kept = rows
    .filter(({ key, value }) => value !== '' || (key !== '' && !isStarter(key)))
    .map((row) => ({ ...row, fixed: keys.includes(row.key) }));
  const withKeys = keys.reduce<readonly Row[]>(
    (all, key) => (all.some((row) => row.key === key) ? all : addRow(all, { key, fixed: true })),
    kept,
  );
  return withKeys.length === 0 ? addRow([]) : withKeys;
}

function isStarter(key: string): boolean {
  return SECRET_KINDS.some(({ keys }) => keys.includes(key));
}

/** Where a dropped file belongs: certificates and keys go to the keys that the type demands. */
export function keyForFile(type: string, fileName: string, text: string): string {
  if (type === TLS && text.includes('PRIVATE KEY-----')) return 'tls.key';
  if (type === TLS && text.includes('-----BEGIN CERTIFICATE-----')) return 'tls.crt';
  if (type === 'kubernetes.io/ssh-auth' && text.includes('PRIVATE KEY-----')) return 'ssh-privatekey';
  return fileName;
}
