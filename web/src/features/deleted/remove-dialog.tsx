import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { useRemove } from './use-remove.ts';

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
