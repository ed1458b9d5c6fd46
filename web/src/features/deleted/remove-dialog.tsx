import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { useNotify } from '../../ui/notices.tsx';
import { lookAtRemoval, type FailedRemoval } from './undelete.ts';

const ADVICE = {
  kept: 'Some of its versions may already be deleted. You can safely try again.',
  unknown: 'It may or may not have been deleted. You can safely try again.',
  refused: 'Nothing was deleted.',
};

export interface RemoveDialogProps {
  readonly namespace: string;
  readonly deleted: DeletedSecret;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Removes a deleted Secret permanently. */
export function RemoveDialog({ namespace, deleted, onClose, onRemoved }: RemoveDialogProps) {
  const { remove, isBusy, failure } = useRemove(namespace, onRemoved);
  const { name } = deleted;
  return (
    <ConfirmDialog
      id="remove"
      title={`Delete ${name} permanently?`}
      word={name}
      action="Delete permanently"
      isBusy={isBusy}
      onConfirm={() => void remove(deleted)}
      onClose={onClose}
      failure={
        failure && (
          <ProblemAlert
            title={`Couldn't delete ${name} permanently`}
            error={failure.error}
            advice={ADVICE[failure.state]}
          />
        )
      }
    >
      <p>This deletes its values and its whole history from the cluster. You can't undo this.</p>
    </ConfirmDialog>
  );
}

type Outcome = { readonly kind: 'removed' } | ({ readonly kind: 'failed' } & FailedRemoval);

/** Removes a deleted Secret permanently. */
function useRemove(namespace: string, onRemoved: () => void) {
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
