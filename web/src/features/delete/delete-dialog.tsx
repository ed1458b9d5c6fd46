import { Button, Checkbox } from '@patternfly/react-core';
import { useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import type { SecretSummary, SecretRef } from '../../api/secrets-api.ts';
import { useConsumers, useHasConsumers } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { counted, firstOf } from '../../values/format.ts';
import { BulkResults } from '../bulk/bulk-results.tsx';
import { useDelete, type DeleteHooks } from './use-delete.ts';

export interface DeleteDialogProps extends DeleteHooks {
  /** Of one namespace; at least one. */
  readonly secrets: readonly SecretSummary[];
  /** Reads again what is still there. Left out: its screen does that by itself. */
  readonly onReload?: () => void;
}

/** Deletes one Secret or several, and archives them unless that is declined. */
export function DeleteDialog({ secrets, onReload, ...hooks }: DeleteDialogProps) {
  const canArchive = secrets.some(({ type }) => !isServiceAccountToken(type));
  const [archive, setArchive] = useState(canArchive);
  const { remove, stop, close, isRunning, outcomes, left } = useDelete(secrets, hooks);
  const [first, ...others] = secrets;
  const isOne = others.length === 0;
  const subject = isOne ? (first?.name ?? '') : counted(secrets.length, 'Secret');
  return (
    <ConfirmDialog
      id="delete"
      title={`Delete ${subject}?`}
      word={isOne ? subject : 'delete'}
      action="Delete"
      isBusy={isRunning}
      onConfirm={() => void remove(archive)}
      onStop={isOne ? undefined : stop}
      onClose={close}
      canRetry={left.retried.length > 0}
      failure={
        outcomes === undefined || isRunning ? undefined : (
          <BulkResults
            {...{ secrets, outcomes }}
            verb="deleted"
            note={archive ? undefined : 'Some of the history may already be deleted.'}
            actions={
              onReload && (
                <Button variant="secondary" onClick={onReload}>
                  Reload
                </Button>
              )
            }
          />
        )
      }
    >
      <p>Workloads that use {isOne ? 'this Secret' : 'these Secrets'} may fail when they start again.</p>
      <Uses secrets={secrets} />
      <p>{afterwards(secrets, canArchive)}</p>
      {canArchive && (
        <Checkbox
          id="delete-permanently"
          label={`Delete permanently, with ${isOne ? 'its' : 'their'} history`}
          description="You can't undo this."
          isChecked={!archive}
          onChange={(_event, checked) => setArchive(!checked)}
        />
      )}
      {isRunning && !isOne && (
        <p role="status">
          {outcomes?.size ?? 0} of {secrets.length}
        </p>
      )}
    </ConfirmDialog>
  );
}

function afterwards(secrets: readonly SecretSummary[], canArchive: boolean): string {
  const isOne = secrets.length === 1;
  const tokens = secrets.filter(({ type }) => isServiceAccountToken(type)).length;
  if (!canArchive) return 'A service account token cannot be restored.';
  return [
    isOne
      ? 'You can restore it under “Deleted”. Until it is deleted there permanently, or expires, its values stay in the cluster.'
      : 'You can restore them under “Deleted”. Until they are deleted there permanently, or expire, their values stay in the cluster.',
    ...(tokens === 0 ? [] : ['A service account token cannot be restored.']),
  ].join(' ');
}

/** More Secrets are not named, nor are the workloads that use them. */
const NAMED = 10;

/** Which Secrets, if there are several, and which workloads a deletion would hit, where this deployment shows them. */
function Uses({ secrets }: { readonly secrets: readonly SecretSummary[] }) {
  const hasConsumers = useHasConsumers();
  const more = secrets.length - NAMED;
  const [first] = secrets;
  if (first !== undefined && secrets.length === 1) return <UsedBy secret={first} />;
  return (
    <ul className="bulk-names">
      {secrets.slice(0, NAMED).map((secret) => (
        <li key={secret.name}>
          {secret.name}
          <UsedBy secret={secret} />
        </li>
      ))}
      {more > 0 && <li>{`and ${more} more${hasConsumers ? ', whose workloads are not shown' : ''}`}</li>}
    </ul>
  );
}

/** More are named in the tab of the Secret. */
const NAMED_WORKLOADS = 3;

function UsedBy({ secret }: { readonly secret: SecretRef }) {
  const { data, error } = useConsumers(secret, useHasConsumers());
  const names = (data ?? []).map(({ kind, name }) => `${kind} ${name}`);
  return (
    <p role="status">
      {names.length > 0 && (
        <strong>
          {names.length === 1 ? '1 workload uses it' : `${names.length} workloads use it`}:{' '}
          {firstOf(names, NAMED_WORKLOADS)}.
        </strong>
      )}
      {error !== null && "Couldn't find out which workloads use it."}
    </p>
  );
}
