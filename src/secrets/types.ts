import { ServiceError } from '../errors/service-error.ts';
import type { SecretData } from '../kube/secret.ts';
import { isJsonObjectOrNull } from './json-text.ts';

/**
 * What built-in types demand of their data. The rules are those of the cluster itself (presence and
 * JSON shape, never whether a credential works). Both spellings of the prefix are held to the same
 * rules; a type is stored as it was given.
 */

export const DEFAULT_TYPE = 'Opaque';

const BUILT_IN = /^(?:kubernetes|platform)\.io\/(.+)$/;

const NOTHING = new Uint8Array(0);

type Rule = (data: SecretData) => string | undefined;

const jsonObjectUnder =
  (key: string): Rule =>
  (data) =>
    isJsonObjectOrNull(data.get(key) ?? NOTHING)
      ? undefined
      : `needs the key ${key} with a JSON object or null`;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'basic-auth',
    (data) =>
      data.has('username') || data.has('password') ? undefined : 'needs the key username or password',
  ],
  [
    'ssh-auth',
    (data) =>
      (data.get('ssh-privatekey')?.byteLength ?? 0) > 0
        ? undefined
        : 'needs the key ssh-privatekey with a nonempty value',
  ],
  [
    'tls',
    (data) => (data.has('tls.crt') && data.has('tls.key') ? undefined : 'needs the keys tls.crt and tls.key'),
  ],
  ['dockerconfigjson', jsonObjectUnder('.dockerconfigjson')],
  ['dockercfg', jsonObjectUnder('.dockercfg')],
]);

function builtInName(type: string): string | undefined {
  return BUILT_IN.exec(type)?.[1];
}

/**
 * Service-account tokens belong to the cluster's token controller; the service deletes them but never
 * writes them, not even their metadata.
 */
export function isServiceAccountToken(type: string): boolean {
  return builtInName(type) === 'service-account-token';
}

/** @throws {ServiceError} `invalidSecret` */
export function refuseServiceAccountToken(type: string): void {
  if (!isServiceAccountToken(type)) return;
  throw new ServiceError(
    'invalidSecret',
    'Service account tokens are managed by the cluster and cannot be written',
    {
      reason: 'serviceAccountToken',
    },
  );
}

/** What the data lacks that its type demands, in words that follow the name of the type; undefined when nothing. */
export function typeRuleViolation(type: string, data: SecretData): string | undefined {
  return RULES.get(builtInName(type) ?? '')?.(data);
}

/** @throws {ServiceError} `invalidSecret` when the data does not meet what its type demands */
export function requireTypeRules(type: string, data: SecretData): void {
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return;
  throw new ServiceError(
    'invalidSecret',
    `data does not fit its type: ${builtInName(type) ?? ''} ${violation}`,
    {
      reason: 'typeRule',
    },
  );
}
