import { Button, Checkbox } from '@patternfly/react-core';
import { useEffect, useRef, useState } from 'react';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import type { SecretSummary, SecretRef, SecretList } from '../../api/secrets-api.ts';
import { useConsumers, useHasConsumers } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { counted, firstOf } from '../../values/format.ts';
import { deletion, deletionText } from './deletion.ts';
import { BulkResults, leftOf, useBulk } from '../bulk/bulk-results.tsx';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { deletedPath } from '../../paths.ts';
import { useCurrent } from '../../ui/use-current.ts';
import { useNotify } from '../../ui/notices.tsx';
import type { BulkOutcomes } from '../bulk/bulk-job.ts';
import { useUndo } from '../deleted/actions.tsx';

interface DeleteDialogProps {
  /** Of one namespace; at least one. */
  readonly secrets: readonly SecretSummary[];
  /** Reads again what is still there. Left out: its screen does that by itself. */
  readonly onReload?: () => void;
  readonly onClose: () => void;
  /** @param isPending whether one stays until its finalizers are removed */
  readonly onDeleted: (isPending: boolean) => void;
}

/** Deletes one Secret or several, and archives them unless that is declined. */
export function DeleteDialog({ secrets, onReload, onClose, onDeleted }: DeleteDialogProps) {
  const canArchive = secrets.some(({ type }) => !isServiceAccountToken(type));
  const [archive, setArchive] = useState(canArchive);
  const { remove, stop, isRunning, outcomes, left } = useDelete(secrets, onDeleted);
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
      onClose={onClose}
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

const NO_WAY_BACK = 'A service account token cannot be restored.';

function afterwards(secrets: readonly SecretSummary[], canArchive: boolean): string {
  if (!canArchive) return NO_WAY_BACK;
  const text =
    secrets.length === 1
      ? 'You can restore it under “Deleted”. Until it is deleted there permanently, or expires, its values stay in the cluster.'
      : 'You can restore them under “Deleted”. Until they are deleted there permanently, or expire, their values stay in the cluster.';
  return secrets.some(({ type }) => isServiceAccountToken(type)) ? `${text} ${NO_WAY_BACK}` : text;
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

/** Deletes Secrets of one namespace. What is left stays in the dialog; a notice has the way back where there is one. */
function useDelete(secrets: readonly SecretSummary[], onDeleted: DeleteDialogProps['onDeleted']) {
  const api = useApi();
  const namespace = secrets[0]?.namespace ?? '';
  const { run, stop, isRunning, outcomes } = useBulk(namespace);
  const isMounted = useCurrent(true);
  const { forget, reread } = useCached(namespace);
  const announce = useAnnounce(secrets);
  const left = leftOf(secrets, outcomes);
  const announceAtEnd = useRef<() => void>(undefined);
  // Whatever closes the dialog: its screen is also left, or dropped with the session.
  useEffect(() => () => announceAtEnd.current?.(), []);
  const remove = async (archive: boolean): Promise<void> => {
    announceAtEnd.current = undefined;
    const all = await run(outcomes === undefined ? secrets : left.retried, deletion(api, archive));
    const stateOf = ({ name }: SecretSummary) => all.get(name)?.state;
    const leftCount = leftOf(secrets, all).left.length;
    forget(secrets.filter((secret) => ['done', 'gone'].includes(stateOf(secret) ?? '')));
    if (isMounted.current !== true) {
      reread(secrets);
      announce(all);
      return;
    }
    if (leftCount < secrets.length) announceAtEnd.current = () => announce(all);
    if (leftCount === 0) onDeleted(secrets.some((secret) => stateOf(secret) === 'pending'));
  };
  return { remove, stop, isRunning, outcomes, left };
}

function useCached(namespace: string) {
  const queries = useQueryClient();
  /** What shows one of them elsewhere. */
  const reread = (secrets: readonly SecretSummary[]): void => {
    for (const { name } of secrets) {
      void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
    }
  };
  /** Removes their rows from the list, which may take a while to be read again. */
  const forget = (gone: readonly SecretSummary[]): void => {
    const names = new Set(gone.map(({ name }) => name));
    const without = <List extends SecretList>(list: List): List => ({
      ...list,
      secrets: list.secrets.filter(({ name }) => !names.has(name)),
    });
    const queryKey = queryKeys.list(namespace);
    queries.setQueriesData<SecretList | InfiniteData<SecretList>>({ queryKey }, (old) => {
      if (old === undefined) return old;
      return 'pages' in old ? { ...old, pages: old.pages.map(without) } : without(old);
    });
    void queries.invalidateQueries({ queryKey });
    void queries.invalidateQueries({ queryKey: queryKeys.deleted(namespace) });
  };
  return { forget, reread };
}

/** The notice, with a way back where there is one. */
function useAnnounce(secrets: readonly SecretSummary[]) {
  const notify = useNotify();
  const undo = useUndo();
  return (outcomes: BulkOutcomes): void => {
    const restorable = secrets.flatMap((secret) => {
      const { state, uid } = outcomes.get(secret.name) ?? {};
      if (state !== 'done' || uid === undefined) return [];
      const { namespace, name } = secret;
      return [{ ref: { namespace, uid }, deleted: secret, name }];
    });
    const link = { label: 'Show deleted', to: deletedPath(secrets[0]?.namespace ?? '') };
    const variant = leftOf(secrets, outcomes).left.length > 0 ? 'warning' : 'success';
    const offer = restorable.length > 0 ? { action: undo(restorable), link } : {};
    notify(deletionText(secrets, outcomes, restorable.length), { variant, ...offer });
  };
}
