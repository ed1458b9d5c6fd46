import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { isForbidden } from '../../api/http-client.ts';
import { useMe } from '../../api/queries.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import type { AccessRules } from '../../../../src/contract/access-rules.ts';
import { isExcluded } from '../../editing/rules.ts';
import { detailPath, listPath } from '../../paths.ts';
import { useNotify } from '../../ui/notices.tsx';

interface Finished {
  readonly secret: SecretRef;
  readonly rules: AccessRules;
  /** What was done. */
  readonly done: string;
  /** Said where the rules leave out whoever has saved them. */
  readonly lost: string;
  /** Whether the form closes. */
  readonly leaves: boolean;
  /** For the page of the Secret. */
  readonly state?: string | null;
}

/** After a save: shows a notice, and goes to the Secret as it is now, unless the form stays open. */
export function useFinish() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const api = useApi();
  const { data: me } = useMe();
  /**
   * Whether whoever has just saved these rules has lost access by them. Read only where the rules leave them out: an
   * administrator keeps access, and the API does not say who is one.
   */
  const hasLostAccess = async (secret: SecretRef, rules: AccessRules): Promise<boolean> => {
    if (me === undefined || !isExcluded(me, rules)) return false;
    return api.describe(secret).then(() => false, isForbidden);
  };
  return async ({ secret, rules, done, lost, leaves, state = null }: Finished): Promise<void> => {
    const { namespace, name } = secret;
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    const isLost = await hasLostAccess({ namespace, name }, rules);
    notify(isLost ? `${done} ${lost}` : done);
    if (leaves) void navigate(isLost ? listPath(namespace) : detailPath(secret), { state });
    else if (!isLost) void queries.invalidateQueries({ queryKey: queryKeys.secret(secret) });
  };
}
