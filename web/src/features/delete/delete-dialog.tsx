import { Button, Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import type { SecretSummary, SecretRef } from '../../api/secrets-api.ts';
import { ConfirmField } from '../../ui/confirm-field.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useDelete, type FailedDelete, type FailedDeleteState } from './use-delete.ts';
import { useConsumers, useHasConsumers } from '../../api/queries.ts';

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
    <Dialog
      id="delete"
      title={`Delete ${secret.name}?`}
      isDanger
      isDescribed
      isBusy={isBusy}
      onClose={onClose}
      buttons={
        <>
          <Button
            variant="danger"
            isDisabled={!ready}
            isLoading={isBusy}
            onClick={() => void remove(archive)}
          >
            Delete
          </Button>
          <Button variant="link" isDisabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <p>Workloads that use this Secret may fail when they start again.</p>
      <UsedBy secret={secret} />
      <p>
        {canArchive
          ? 'You can restore it under “Deleted”. Until it is deleted there permanently, or expires, its values stay in the cluster.'
          : 'A service account token cannot be restored.'}
      </p>
      <ConfirmField
        id="delete-name"
        label={`Type ${secret.name} to confirm`}
        value={typed}
        onChange={setTyped}
        onEnter={() => {
          if (ready) void remove(archive);
        }}
      />
      {canArchive && (
        <Checkbox
          id="delete-permanently"
          label="Delete permanently, with its history"
          description="Nothing of it can be restored."
          isChecked={!archive}
          onChange={(_event, checked) => setArchive(!checked)}
        />
      )}
      {failure !== undefined && <DeleteFailure failure={failure} onReload={onReload} />}
    </Dialog>
  );
}

interface Words {
  readonly title: string;
  readonly advice?: string;
}

/** Archived versions go before the Secret itself does, so some may be gone already. */
const WORDS: Readonly<Record<FailedDeleteState, Words>> = {
  replaced: {
    title: 'Another Secret now has this name',
    advice: 'The one that you opened no longer exists. The new one was not changed.',
  },
  pending: {
    title: 'Deletion started, waiting for finalizers',
    advice: 'The Secret stays until its finalizers are removed.',
  },
  changed: {
    title: 'Someone changed this Secret since you opened it',
    advice:
      'It was not deleted, so that you can look at the change first. If you chose to delete it permanently, some of its history may already be deleted.',
  },
  same: { title: "Couldn't delete the Secret" },
  unknown: {
    title: 'It may or may not have been deleted',
    advice: 'You can safely try again: only the version that you opened can be deleted.',
  },
};

interface DeleteFailureProps {
  readonly failure: FailedDelete;
  readonly onReload: () => void;
}

function DeleteFailure({ failure: { error, state }, onReload }: DeleteFailureProps) {
  const reload = (
    <Button variant="secondary" onClick={onReload}>
      Reload
    </Button>
  );
  return <ProblemAlert {...WORDS[state]} error={error} actions={state !== 'same' && reload} />;
}

/** More are named in the tab of the Secret. */
const NAMED = 3;

/** Which workloads a deletion would hit, where this deployment shows them. */
function UsedBy({ secret }: { readonly secret: SecretRef }) {
  const { data, error } = useConsumers(secret, useHasConsumers());
  const names = (data ?? []).map(({ kind, name }) => `${kind} ${name}`);
  const more = names.length - NAMED;
  const named = `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return (
    <p role="status">
      {names.length > 0 && (
        <strong>
          {names.length === 1 ? '1 workload uses it' : `${names.length} workloads use it`}: {named}.
        </strong>
      )}
      {error !== null && "Couldn't find out which workloads use it."}
    </p>
  );
}
