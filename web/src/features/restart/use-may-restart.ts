import { useConfig, useExplanation } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { allows } from '../../editing/rules.ts';

/** Whether someone may restart what uses a Secret, where restarts are enabled. */
export function useMayRestart(secret: SecretRef): boolean {
  const { data: config } = useConfig();
  const { data: access } = useExplanation(secret);
  return config?.restartEnabled === true && allows(access?.level, 'write');
}
