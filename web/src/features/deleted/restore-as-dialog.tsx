import { Button, FormGroup, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useState } from 'react';
import { newNameViolation } from '../../../../src/contract/names.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useUndelete } from './use-undelete.ts';
import { ProblemAlert } from '../../ui/problem.tsx';
import { UNDELETE_ADVICE, type FailedUndelete } from './undelete.ts';

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
  return (
    <Dialog
      id="restore-as"
      title={`Restore ${deleted.name} as`}
      isBusy={isBusy}
      onClose={onClose}
      buttons={
        <>
          <Button isDisabled={!isReady} isLoading={isBusy} onClick={submit}>
            Restore
          </Button>
          <Button variant="link" isDisabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <FormGroup label="New name" fieldId="restore-as-name" isRequired>
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
    </Dialog>
  );
}

function NameHelp({ violation }: { readonly violation: string | undefined }) {
  return (
    <HelperText id="restore-as-problem" aria-live="polite">
      {violation === undefined ? (
        <HelperTextItem>Lowercase letters, digits, "-" and ".".</HelperTextItem>
      ) : (
        <HelperTextItem variant="error">The name {violation}.</HelperTextItem>
      )}
    </HelperText>
  );
}

/** Why a Secret was not restored, and what to do. */
export function UndeleteFailure({ failure }: { readonly failure: FailedUndelete }) {
  const { error, state, undelete } = failure;
  return (
    <ProblemAlert title={`Couldn't restore ${undelete.name}`} error={error} advice={UNDELETE_ADVICE[state]} />
  );
}
