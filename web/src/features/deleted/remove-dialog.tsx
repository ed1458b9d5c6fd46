import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useState } from 'react';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import type { FailedRemoval } from './undelete.ts';
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
    <Modal
      isOpen
      variant="small"
      aria-labelledby="remove-title"
      aria-describedby="remove-body"
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <ModalHeader title={`Delete ${name} permanently?`} labelId="remove-title" titleIconVariant="danger" />
      <ModalBody className="dialog-body" id="remove-body">
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
        {failure !== undefined && <RemovalFailure name={name} failure={failure} />}
        <SlowWrite isBusy={isBusy} />
      </ModalBody>
      <ModalFooter>
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
      </ModalFooter>
    </Modal>
  );
}

interface RemovalFailureProps {
  readonly name: string;
  readonly failure: FailedRemoval;
}

function RemovalFailure({ name, failure: { error, state } }: RemovalFailureProps) {
  return (
    <Alert
      isInline
      isLiveRegion
      variant="danger"
      component="h2"
      title={`Couldn't delete ${name} permanently`}
    >
      <p>{messageOf(error)}.</p>
      <p>{ADVICE[state]}</p>
      <RequestId error={error} />
    </Alert>
  );
}
