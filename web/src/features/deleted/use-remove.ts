import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { useNotify } from '../../ui/notices.tsx';
import { lookAtRemoval, type FailedRemoval } from './undelete.ts';

type Outcome = { readonly kind: 'removed' } | ({ readonly kind: 'failed' } & FailedRemoval);

/** Removes a deleted Secret permanently. */
export function useRemove(namespace: string, onRemoved: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const notify = useNotify();
  const send = async ({ uid }: DeletedSecret): Promise<Outcome> => {
    await api.removeDeleted({ namespace, uid });
    return { kind: 'removed' };
  };
  const look = async ({ uid }: DeletedSecret, error: unknown): Promise<Outcome> => {
    const state = await lookAtRemoval(api, { namespace, uid }, error);
    return state === 'removed' ? { kind: 'removed' } : { kind: 'failed', error, state };
  };
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (result, { name, uid }) => {
    const queryKey = queryKeys.deleted(namespace);
    if (result.kind === 'removed') {
      queries.setQueryData<readonly DeletedSecret[]>(queryKey, (old) =>
        old?.filter((one) => one.uid !== uid),
      );
      notify(`${name} is deleted permanently.`);
      onRemoved();
    }
    void queries.invalidateQueries({ queryKey });
  });
  return { remove: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined };
}
