import { Alert, Button, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useState } from 'react';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { DELETED_WORDS, REMOVE_WORDS } from '../../words/deleted.ts';
import type { FailedRemoval } from './removal.ts';
import { useRemove } from './use-remove.ts';

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
  const { title, consequence, confirm } = REMOVE_WORDS;
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
      <ModalHeader title={title(name)} labelId="remove-title" titleIconVariant="danger" />
      <ModalBody className="dialog-body" id="remove-body">
        <p>{consequence}</p>
        <ConfirmField
          id="remove-name"
          label={confirm(name)}
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
          {DELETED_WORDS.remove}
        </Button>
        <Button variant="link" isDisabled={isBusy} onClick={onClose}>
          {DELETED_WORDS.cancel}
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
  const { failed, advice } = REMOVE_WORDS;
  return (
    <Alert isInline isLiveRegion variant="danger" component="h2" title={failed(name)}>
      <p>{messageOf(error)}.</p>
      <p>{advice[state]}</p>
      <RequestId error={error} />
    </Alert>
  );
}
