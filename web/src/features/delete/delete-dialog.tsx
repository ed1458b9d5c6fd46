import { Alert, Button, Checkbox, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { messageOf, RequestId } from '../../ui/problem.tsx';
import { SlowWrite } from '../../ui/slow.tsx';
import { DELETE_WORDS } from '../../words/deleted.ts';
import { UsedBy } from './used-by.tsx';
import { useDelete, type FailedDelete, type FailedDeleteState } from './use-delete.ts';
import { COMMON_WORDS } from '../../words/common.ts';
import { DELETE_DIALOG_WORDS } from '../../words/delete.ts';

export interface DeleteDialogProps {
  readonly secret: SecretSummary;
  readonly onClose: () => void;
  /** The Secret is still there and has changed, or is going: reload it. */
  readonly onReload: () => void;
}

/** Requires the name, and archives by default. What has been sent cannot be called back, so it waits for that. */
export function DeleteDialog({ secret, onClose, onReload }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const canArchive = !isServiceAccountToken(secret.type);
  const [archive, setArchive] = useState(canArchive);
  const { remove, isBusy, failure } = useDelete(secret, { onClose, onReload });
  const ready = typed === secret.name && !isBusy;
  return (
    <Modal
      isOpen
      variant="small"
      onClose={() => {
        if (!isBusy) onClose();
      }}
      aria-labelledby="delete-title"
      aria-describedby="delete-body"
    >
      <ModalHeader
        title={DELETE_DIALOG_WORDS.title(secret.name)}
        labelId="delete-title"
        titleIconVariant="danger"
      />
      <ModalBody className="dialog-body" id="delete-body">
        <p>{DELETE_WORDS.consumers}</p>
        <UsedBy secret={secret} />
        <p>{canArchive ? DELETE_WORDS.archived : DELETE_WORDS.token}</p>
        <ConfirmField
          id="delete-name"
          label={DELETE_DIALOG_WORDS.confirm(secret.name)}
          value={typed}
          onChange={setTyped}
          onEnter={() => {
            if (ready) void remove(archive);
          }}
        />
        {canArchive && (
          <Checkbox
            id="delete-permanently"
            label={DELETE_WORDS.permanently}
            description={DELETE_WORDS.permanentlyHint}
            isChecked={!archive}
            onChange={(_event, checked) => setArchive(!checked)}
          />
        )}
        {failure !== undefined && <DeleteFailure failure={failure} onReload={onReload} />}
        <SlowWrite isBusy={isBusy} />
      </ModalBody>
      <ModalFooter>
        <Button variant="danger" isDisabled={!ready} isLoading={isBusy} onClick={() => void remove(archive)}>
          {COMMON_WORDS.delete}
        </Button>
        <Button variant="link" isDisabled={isBusy} onClick={onClose}>
          {COMMON_WORDS.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

interface Words {
  readonly title: string;
  readonly advice?: string;
}

/** Archived versions go before the Secret itself does, so some may be gone already. */
const WORDS: Readonly<Record<FailedDeleteState, Words>> = {
  replaced: {
    title: DELETE_DIALOG_WORDS.replaced,
    advice: DELETE_DIALOG_WORDS.replacedAdvice,
  },
  pending: {
    title: DELETE_DIALOG_WORDS.pending,
    advice: DELETE_DIALOG_WORDS.pendingAdvice,
  },
  changed: {
    title: DELETE_DIALOG_WORDS.changed,
    advice: DELETE_DIALOG_WORDS.changedAdvice,
  },
  same: { title: DELETE_DIALOG_WORDS.failed },
  unknown: {
    title: DELETE_DIALOG_WORDS.unknown,
    advice: DELETE_DIALOG_WORDS.unknownAdvice,
  },
};

interface DeleteFailureProps {
  readonly failure: FailedDelete;
  readonly onReload: () => void;
}

function DeleteFailure({ failure: { error, state }, onReload }: DeleteFailureProps) {
  const { title, advice } = WORDS[state];
  return (
    <Alert
      isInline
      isLiveRegion
      variant="danger"
      component="h2"
      title={title}
      actionLinks={
        state !== 'same' && (
          <Button variant="secondary" onClick={onReload}>
            {COMMON_WORDS.reload}
          </Button>
        )
      }
    >
      <p>{messageOf(error)}.</p>
      {advice !== undefined && <p>{advice}</p>}
      <RequestId error={error} />
    </Alert>
  );
}
