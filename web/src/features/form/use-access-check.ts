import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import { useMe } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { isExcluded, levelIn, type AccessRules } from '../../../../src/contract/access-rules.ts';

/**
 * Whether whoever has just saved these rules has lost access by them. Read only where the rules leave them out: an
 * administrator keeps access, and the API does not say who is one.
 */
export function useAccessCheck(): (secret: SecretRef, rules: AccessRules) => Promise<boolean> {
  const api = useApi();
  const { data: me } = useMe();
  return async (secret, rules) => {
    if (me === undefined || !isExcluded(me, rules) || levelIn(me, rules) !== 'none') return false;
    try {
      await api.describe(secret);
      return false;
    } catch (error) {
      return error instanceof ApiError && error.status === 403;
    }
  };
}
