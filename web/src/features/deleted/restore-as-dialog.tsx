import { useState } from 'react';
import { newNameViolation } from '../../../../src/contract/names.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NAME_INPUT, TextField } from '../../ui/text-field.tsx';
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
    <ConfirmDialog
      id="restore-as"
      title={`Restore ${deleted.name} as`}
      action="Restore"
      isReady={isReady}
      isBusy={isBusy}
      onConfirm={submit}
      onClose={onClose}
    >
      <TextField
        {...NAME_INPUT}
        id="restore-as-name"
        label="New name"
        isRequired
        value={name}
        problem={violation && `The name ${violation}.`}
        help={'Lowercase letters, digits, "-" and ".".'}
        onChange={setName}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit();
        }}
      />
      {failure !== undefined && <UndeleteFailure failure={failure} />}
    </ConfirmDialog>
  );
}

/** Why a Secret was not restored, and what to do. */
export function UndeleteFailure({ failure }: { readonly failure: FailedUndelete }) {
  const { error, state, undelete } = failure;
  return (
    <ProblemAlert title={`Couldn't restore ${undelete.name}`} error={error} advice={UNDELETE_ADVICE[state]} />
  );
}
