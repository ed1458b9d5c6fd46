import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useRemove } from './use-remove.ts';

const ADVICE = {
  kept: 'Some of its versions may be removed already. You can safely try again.',
  unknown: 'It may or may not have been removed. You can safely try again.',
  refused: 'Nothing was removed.',
};

export interface RemoveDialogProps {
  readonly namespace: string;
  readonly deleted: DeletedSecret;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Requires the name. What has been sent cannot be called back, so it waits for that. */
export function RemoveDialog({ namespace, deleted, onClose, onRemoved }: RemoveDialogProps) {
  const [typed, setTyped] = useState('');
  const { remove, isBusy, failure } = useRemove(namespace, onRemoved);
  const { name } = deleted;
  const isReady = typed === name && !isBusy;
  return (
    <Dialog
      id="remove"
      title={`Delete ${name} permanently?`}
      isDanger
      isDescribed
      isBusy={isBusy}
      onClose={onClose}
      buttons={
        <>
          <Button
            variant="danger"
            isDisabled={!isReady}
            isLoading={isBusy}
            onClick={() => void remove(deleted)}
          >
            Delete permanently
          </Button>
          <Button variant="link" isDisabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <p>Its values and its whole history are removed from the cluster. This cannot be undone.</p>
      <ConfirmField
        id="remove-name"
        label={`Type ${name} to confirm`}
        value={typed}
        onChange={setTyped}
        onEnter={() => {
          if (isReady) void remove(deleted);
        }}
      />
      {failure !== undefined && (
        <ProblemAlert
          title={`Couldn't delete ${name} permanently`}
          error={failure.error}
          advice={ADVICE[failure.state]}
        />
      )}
    </Dialog>
  );
}
