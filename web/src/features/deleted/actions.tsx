import { useState, useRef } from 'react';
import { newNameViolation } from '../../../../src/contract/names.ts';
import type { DeletedSecret } from '../../api/secrets-api.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { NAME_INPUT, TextField } from '../../ui/text-field.tsx';
import { ProblemAlert, messageOf } from '../../ui/problem.tsx';
import {
  UNDELETE_ADVICE,
  undeleteTitle,
  type FailedUndelete,
  lookAtRemoval,
  type FailedRemoval,
  undelete,
  type Undelete,
  type UndeleteOutcome,
} from './undelete.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useUncertainWrite } from '../../ui/use-uncertain-write.ts';
import { useNotify, type NoticeOptions } from '../../ui/notices.tsx';
import { createLimit, outcomeIsUnknown } from '../../api/http-client.ts';
import { deletedPath, detailPath } from '../../paths.ts';
import { counted } from '../../values/format.ts';

interface DeletedDialogProps {
  readonly namespace: string;
  readonly deleted: DeletedSecret;
  readonly onClose: () => void;
}

/** Restores a deleted Secret under another name. What has been sent cannot be called back, so it waits for that. */
export function RestoreAsDialog({ namespace, deleted, onClose }: DeletedDialogProps) {
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
  const title = undeleteTitle(undelete.name, state);
  return <ProblemAlert {...{ title, error }} advice={UNDELETE_ADVICE[state]} />;
}

const ADVICE = {
  kept: 'Some of its versions may already be deleted. You can safely try again.',
  unknown: 'You can safely try again.',
  refused: 'Nothing was deleted.',
};

interface RemoveDialogProps extends DeletedDialogProps {
  readonly onRemoved: () => void;
}

/** Removes a deleted Secret permanently. */
export function RemoveDialog({ namespace, deleted, onClose, onRemoved }: RemoveDialogProps) {
  const { remove, isBusy, failure } = useRemove(namespace, onRemoved);
  const { name } = deleted;
  const title =
    failure?.state === 'unknown'
      ? `${name} may or may not have been deleted`
      : `Couldn't delete ${name} permanently`;
  return (
    <ConfirmDialog
      id="remove"
      title={`Delete ${name} permanently?`}
      word={name}
      action="Delete permanently"
      isBusy={isBusy}
      onConfirm={() => void remove(deleted)}
      onClose={onClose}
      failure={failure && <ProblemAlert title={title} error={failure.error} advice={ADVICE[failure.state]} />}
    >
      <p>This deletes its values and its whole history from the cluster. You can't undo this.</p>
    </ConfirmDialog>
  );
}

/** Removes a deleted Secret permanently. Without a failure it is removed. */
function useRemove(namespace: string, onRemoved: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const notify = useNotify();
  const send = async ({ uid }: DeletedSecret): Promise<FailedRemoval | undefined> => {
    await api.removeDeleted({ namespace, uid });
    return undefined;
  };
  const look = async ({ uid }: DeletedSecret, error: unknown): Promise<FailedRemoval | undefined> => {
    const state = await lookAtRemoval(api, { namespace, uid }, error);
    return state === 'removed' ? undefined : { error, state };
  };
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (failed, { name, uid }) => {
    const queryKey = queryKeys.deleted(namespace);
    if (failed === undefined) {
      queries.setQueryData<readonly DeletedSecret[]>(queryKey, (old) =>
        old?.filter((one) => one.uid !== uid),
      );
      notify(`${name} is deleted permanently.`);
      onRemoved();
    }
    void queries.invalidateQueries({ queryKey });
  });
  return { remove: write, isBusy, failure: outcome };
}

/** Restores deleted Secrets, one at a time. */
export function useUndelete(onRestored: () => void) {
  const api = useApi();
  // After a lost answer, "exists already" may be about the Secret that this page itself has restored.
  const lost = useRef(new Set<string>());
  const send = async (requested: Undelete): Promise<UndeleteOutcome> => {
    const key = `${requested.ref.uid} ${requested.name}`;
    const outcome = await undelete(api, requested, lost.current.has(key));
    if (outcome.kind === 'failed' && outcomeIsUnknown(outcome.error)) lost.current.add(key);
    return outcome;
  };
  const finish = useRestored();
  const look = (requested: Undelete, error: unknown): UndeleteOutcome => ({
    ...{ kind: 'failed', error, state: 'refused', undelete: requested },
  });
  const { write, isBusy, outcome, clear } = useUncertainWrite(send, look, (result, requested) => {
    if (result.kind === 'failed') return;
    finish([requested]);
    onRestored();
  });
  return { restore: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined, clear };
}

/**
 * The action of the notice after a deletion of one Secret or several. What comes of it is another notice: its screen may be
 * gone by then.
 */
export function useUndo() {
  const api = useApi();
  const notify = useNotify();
  const finish = useRestored();
  return (all: readonly Undelete[]): NonNullable<NoticeOptions['action']> => ({
    label: 'Undo',
    run: async () => {
      const limit = createLimit();
      const outcomes = await Promise.all(all.map((one) => limit(() => undelete(api, one))));
      const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
      finish(all.filter((_one, index) => outcomes[index]?.kind === 'restored'));
      const [first] = [...failed.filter(({ state }) => state === 'unknown'), ...failed];
      if (first === undefined) return;
      const subject = failed.length === 1 ? first.undelete.name : counted(failed.length, 'Secret');
      const { error, state } = first;
      notify(`${undeleteTitle(subject, state)}: ${messageOf(error)}. ${UNDELETE_ADVICE[state]}`, {
        variant: 'warning',
        link: { label: 'Show deleted', to: deletedPath(first.undelete.ref.namespace) },
      });
    },
  });
}

/** Shows a notice, and reads again what shows Secrets of the namespace. */
function useRestored() {
  const queries = useQueryClient();
  const notify = useNotify();
  return (restored: readonly Undelete[]): void => {
    const [first] = restored;
    if (first === undefined) return;
    const { namespace } = first.ref;
    if (restored.length === 1) {
      const link = { label: `Show ${first.name}`, to: detailPath({ namespace, name: first.name }) };
      notify(`${first.name} is restored.`, { link });
    } else notify(`${counted(restored.length, 'Secret')} restored.`);
    void queries.invalidateQueries({ queryKey: queryKeys.list(namespace) });
    for (const { name } of restored) {
      void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
    }
  };
}
