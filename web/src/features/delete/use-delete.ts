import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DeletedSecret, DeleteResult, SecretList, SecretSummary } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { deletedPath, listPath } from '../../paths.ts';
import { useNotify } from '../../ui/notices.tsx';
import { useUndo } from '../deleted/use-undelete.ts';

/**
 * What became of a Secret whose deletion failed. `replaced`: another one has its name; a detail has no UID, so it is
 * recognized by the time of creation. `unknown`: the Secret could not be read.
 */
export type FailedDeleteState = 'replaced' | 'pending' | 'changed' | 'same' | 'unknown';

export interface FailedDelete {
  readonly kind: 'failed';
  readonly error: unknown;
  readonly state: FailedDeleteState;
}

export type DeleteOutcome =
  | { readonly kind: DeleteResult['status']; readonly uid: string }
  /** With the UID that it had, if it is found among the deleted ones. */
  | { readonly kind: 'gone'; readonly uid: string | undefined }
  | FailedDelete;

export interface DeleteHooks {
  readonly onClose: () => void;
  readonly onReload: () => void;
}

export function useDelete(secret: SecretSummary, { onClose, onReload }: DeleteHooks) {
  const { send, look } = useDeleteRequest(secret);
  const finish = useFinish(secret);
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (result, archive) => {
    if (result.kind === 'failed') return;
    finish(result, archive);
    if (result.kind === 'pending') {
      onClose();
      onReload();
    }
  });
  return { remove: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined };
}

/** The request, and a look at the Secret where the answer alone leaves open what became of it. */
function useDeleteRequest(secret: SecretSummary) {
  const api = useApi();
  const send = async (archive: boolean): Promise<DeleteOutcome> => {
    const { status, uid } = await api.remove(secret, secret.resourceVersion, archive);
    return { kind: status, uid };
  };
  const gone = async (archive: boolean): Promise<DeleteOutcome> => {
    const deleted = archive ? await api.deleted(secret.namespace).catch(() => []) : [];
    const isIt = (one: DeletedSecret) => one.name === secret.name && one.version === secret.version;
    return { kind: 'gone', uid: deleted.find(isIt)?.uid };
  };
  const look = async (archive: boolean, error: unknown): Promise<DeleteOutcome> => {
    const failed = (state: FailedDeleteState) => ({ kind: 'failed', error, state }) as const;
    if (!(error instanceof ApiError)) return failed('unknown');
    if (error.status === 404) return { kind: 'gone', uid: undefined };
    if (error.status !== 409 && !outcomeIsUnknown(error)) return failed('same');
    try {
      return failed(stateOf(secret, await api.describe(secret)));
    } catch (thrown) {
      return thrown instanceof ApiError && thrown.status === 404 ? await gone(archive) : failed('unknown');
    }
  };
  return { send, look };
}

function stateOf(before: SecretSummary, now: SecretSummary): FailedDeleteState {
  if (now.creationTimestamp !== before.creationTimestamp) return 'replaced';
  if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) return 'pending';
  return now.resourceVersion === before.resourceVersion ? 'same' : 'changed';
}

type Finished = Exclude<DeleteOutcome, FailedDelete>;

/** Shows a notice, removes the row from the list, and goes there, unless the user has left the screen. */
function useFinish(secret: SecretSummary) {
  const { namespace, name } = secret;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce(secret);
  const isMounted = useIsMounted();
  return (outcome: Finished, archive: boolean) => {
    announce(outcome, archive);
    const isGone = outcome.kind !== 'pending';
    const queryKey = queryKeys.list(namespace);
    if (isGone) {
      const without = <List extends SecretList>(list: List): List => ({
        ...list,
        secrets: list.secrets.filter((one) => one.name !== name),
      });
      queries.setQueriesData<SecretList | InfiniteData<SecretList>>({ queryKey }, (old) => {
        if (old === undefined) return old;
        return 'pages' in old ? { ...old, pages: old.pages.map(without) } : without(old);
      });
    }
    void queries.invalidateQueries({ queryKey });
    void queries.invalidateQueries({ queryKey: queryKeys.deleted(namespace) });
    if (isGone && isMounted.current) void navigate(listPath(namespace));
    else void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
  };
}

/** The notice, with a way back where there is one. */
function useAnnounce(secret: SecretSummary) {
  const { namespace, name } = secret;
  const notify = useNotify();
  const undo = useUndo();
  return ({ kind, uid }: Finished, archive: boolean): void => {
    const link = { label: 'Show deleted', to: deletedPath(namespace) };
    if (kind === 'pending') notify(`${name} is being deleted: waiting for finalizers.`);
    else if (kind === 'gone' && !archive) notify(`${name} no longer exists.`);
    else if (!archive) notify(`${name} and its history are deleted permanently.`);
    else if (uid === undefined) notify(`${name} no longer exists.`, { link });
    else {
      const action = undo({ ref: { namespace, uid }, deleted: secret, name });
      notify(`${name} is deleted.`, { action, link });
    }
  };
}

function useIsMounted() {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
