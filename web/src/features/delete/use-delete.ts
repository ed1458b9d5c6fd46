import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { useApi } from '../../api/api-context.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DeletedSecret, SecretList, SecretsApi, SecretSummary } from '../../api/secrets-api.ts';
import { deletedPath } from '../../paths.ts';
import { useCurrent } from '../../ui/use-current.ts';
import { useNotify } from '../../ui/notices.tsx';
import { counted } from '../../values/format.ts';
import type { BulkJob, BulkOutcome, BulkOutcomes } from '../bulk/bulk-job.ts';
import { leftOf } from '../bulk/bulk-results.tsx';
import { useBulk } from '../bulk/use-bulk.ts';
import { useUndo } from '../deleted/use-undelete.ts';

export interface DeleteHooks {
  readonly onClose: () => void;
  /** @param isPending whether one stays until its finalizers are removed */
  readonly onDeleted: (isPending: boolean) => void;
}

/** Deletes Secrets of one namespace. What is left stays in the dialog; a notice has the way back where there is one. */
export function useDelete(secrets: readonly SecretSummary[], { onClose, onDeleted }: DeleteHooks) {
  const api = useApi();
  const namespace = secrets[0]?.namespace ?? '';
  const { run, stop, isRunning, outcomes } = useBulk(namespace);
  const isMounted = useCurrent(true);
  const { forget, reread } = useCached(namespace);
  const announce = useAnnounce(secrets);
  const left = leftOf(secrets, outcomes);
  const remove = async (archive: boolean): Promise<void> => {
    const all = await run(outcomes === undefined ? secrets : left.retried, deletion(api, archive));
    const stateOf = ({ name }: SecretSummary) => all.get(name)?.state;
    const isComplete = leftOf(secrets, all).left.length === 0;
    forget(secrets.filter((secret) => ['done', 'gone'].includes(stateOf(secret) ?? '')));
    if (isMounted.current !== true) reread(secrets);
    if (isComplete || isMounted.current !== true) announce(all);
    if (isComplete && isMounted.current === true)
      onDeleted(secrets.some((secret) => stateOf(secret) === 'pending'));
  };
  const close = () => {
    if (outcomes !== undefined && left.left.length < secrets.length) announce(outcomes);
    onClose();
  };
  return { remove, stop, close, isRunning, outcomes, left };
}

/** Only the versions that were shown can be deleted, so that it is safe to try again. */
function deletion(api: SecretsApi, wantsArchive: boolean): BulkJob {
  let deleted: Promise<readonly DeletedSecret[]> | undefined;
  const isArchived = ({ type }: SecretSummary) => wantsArchive && !isServiceAccountToken(type);
  const lookForDeleted = async (secret: SecretSummary): Promise<BulkOutcome> => {
    deleted ??= api.deleted(secret.namespace).catch(() => []);
    const isIt = (one: DeletedSecret) => one.name === secret.name && one.version === secret.version;
    const uid = isArchived(secret) ? (await deleted).find(isIt)?.uid : undefined;
    return uid === undefined ? { state: 'gone' } : { state: 'done', uid };
  };
  return {
    send: async (secret) => {
      const archive = isArchived(secret);
      const { status, uid } = await api.remove(secret, secret.resourceVersion, archive);
      return { state: status === 'deleted' ? 'done' : 'pending', ...(archive ? { uid } : {}) };
    },
    settle: (before, now) => {
      if (now === undefined) return lookForDeleted(before);
      // A detail has no UID, so another Secret of the name is recognized by the time of its creation.
      if (now.creationTimestamp !== before.creationTimestamp) return { state: 'replaced' };
      if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) {
        return { state: 'pending' };
      }
      return { state: now.resourceVersion === before.resourceVersion ? 'same' : 'changed' };
    },
  };
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
    const text = sentence(secrets, outcomes, restorable.length);
    if (restorable.length > 0) notify(text, { action: undo(restorable), link });
    else notify(text);
  };
}

/** What became of them. */
function sentence(secrets: readonly SecretSummary[], outcomes: BulkOutcomes, restorable: number): string {
  const count = (state: BulkOutcome['state']) =>
    secrets.filter(({ name }) => outcomes.get(name)?.state === state).length;
  const [done, gone, pending] = [count('done'), count('gone'), count('pending')];
  const [first] = secrets;
  if (first !== undefined && secrets.length === 1) {
    if (pending > 0) return `${first.name} is being deleted: waiting for finalizers.`;
    if (gone > 0) return `${first.name} no longer exists.`;
    return restorable > 0
      ? `${first.name} is deleted.`
      : `${first.name} and its history are deleted permanently.`;
  }
  const left = secrets.length - done - gone - pending;
  const parts = [
    done > 0 && `${counted(done, 'Secret')} deleted${restorable > 0 ? '' : ' permanently'}`,
    gone > 0 && `${gone} no longer ${gone === 1 ? 'exists' : 'exist'}`,
    pending > 0 && `${pending} waiting for finalizers`,
    left > 0 && `${left} not deleted`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}
