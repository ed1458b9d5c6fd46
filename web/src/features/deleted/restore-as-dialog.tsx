import {
  Button,
  FormGroup,
  HelperText,
  HelperTextItem,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { useState } from 'react';
import { newNameViolation } from '../../../../src/contract/names.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { SlowWrite } from '../../ui/slow.tsx';
import { DELETED_WORDS, UNDELETE_WORDS } from '../../words/deleted.ts';
import { UndeleteFailure } from './undelete-failure.tsx';
import { useUndelete } from './use-undelete.ts';

export interface RestoreAsDialogProps {
  readonly namespace: string;
  readonly deleted: DeletedSecret;
  readonly onClose: () => void;
}

/** Restores a deleted Secret under another name. What has been sent cannot be called back, so it waits for that. */
export function RestoreAsDialog({ namespace, deleted, onClose }: RestoreAsDialogProps) {
  const [name, setName] = useState('');
  const { restore, isBusy, failure } = useUndelete(onClose);
  const violation = name === '' ? undefined : newNameViolation(name);
  const isReady = name !== '' && violation === undefined && !isBusy;
  const submit = () => {
    if (isReady) void restore({ ref: { namespace, uid: deleted.uid }, deleted, name });
  };
  const { asTitle, newName } = UNDELETE_WORDS;
  return (
    <Modal
      isOpen
      variant="small"
      aria-labelledby="restore-as-title"
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <ModalHeader title={asTitle(deleted.name)} labelId="restore-as-title" />
      <ModalBody className="dialog-body">
        <FormGroup label={newName} fieldId="restore-as-name" isRequired>
          <TextInput
            id="restore-as-name"
            value={name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            validated={violation === undefined ? 'default' : 'error'}
            aria-describedby="restore-as-problem"
            onChange={(_event, value) => setName(value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') submit();
            }}
          />
          <NameHelp violation={violation} />
        </FormGroup>
        {failure !== undefined && <UndeleteFailure failure={failure} />}
        <SlowWrite isBusy={isBusy} />
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={!isReady} isLoading={isBusy} onClick={submit}>
          {DELETED_WORDS.restore}
        </Button>
        <Button variant="link" isDisabled={isBusy} onClick={onClose}>
          {DELETED_WORDS.cancel}
        </Button>
      </ModalFooter>
    </Modal>
  );
}

function NameHelp({ violation }: { readonly violation: string | undefined }) {
  const { nameHint, nameProblem } = UNDELETE_WORDS;
  return (
    <HelperText id="restore-as-problem" aria-live="polite">
      {violation === undefined ? (
        <HelperTextItem>{nameHint}</HelperTextItem>
      ) : (
        <HelperTextItem variant="error">{nameProblem(violation)}</HelperTextItem>
      )}
    </HelperText>
  );
}
