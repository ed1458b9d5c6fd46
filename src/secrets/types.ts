import {
  builtInName,
  isServiceAccountToken,
  SERVICE_ACCOUNT_TOKEN_RULE,
  typeRuleViolation,
} from '../contract/secret-types.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SecretData } from '../kube/secret.ts';

/**
 * The service can delete service account tokens but never writes them.
 * @throws {ServiceError} `invalidSecret`
 */
export function refuseServiceAccountToken(type: string): void {
  if (!isServiceAccountToken(type)) return;
  throw new ServiceError('invalidSecret', SERVICE_ACCOUNT_TOKEN_RULE, { reason: 'serviceAccountToken' });
}

/** @throws {ServiceError} `invalidSecret` when the data does not meet what its type requires */
export function requireTypeRules(type: string, data: SecretData): void {
  const violation = typeRuleViolation(type, data);
  if (violation === undefined) return;
  throw new ServiceError(
    'invalidSecret',
    `data does not fit its type: ${builtInName(type) ?? ''} ${violation}`,
    { reason: 'typeRule' },
  );
}
