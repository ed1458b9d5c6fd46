import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { DeleteResult, SecretSummary, SecretList } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { listPath } from '../../paths.ts';
import { useNotify } from '../../ui/notices.tsx';

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
  | { readonly kind: DeleteResult['status']; readonly history: DeleteResult['history'] }
  | { readonly kind: 'gone' }
  | FailedDelete;

const WORDS = { deleted: 'is deleted.', pending: 'is being deleted: waiting for finalizers.' } as const;

export interface DeleteHooks {
  readonly onClose: () => void;
  readonly onReload: () => void;
}

export function useDelete(secret: SecretSummary, { onClose, onReload }: DeleteHooks) {
  const { send, look } = useDeleteRequest(secret);
  const finish = useFinish(secret);
  const { write, isBusy, outcome } = useUncertainWrite(send, look, (result) => {
    if (result.kind === 'failed') return;
    if (result.kind === 'gone') {
      finish('deleted', 'no longer exists.');
      return;
    }
    const kept = result.history === 'retained' ? 'Its history is kept.' : 'Its history is cleaned.';
    finish(result.kind, `${WORDS[result.kind]} ${kept}`);
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
  const send = async (keepHistory: boolean): Promise<DeleteOutcome> => {
    const { status, history } = await api.remove(secret, secret.resourceVersion, keepHistory);
    return { kind: status, history };
  };
  const look = async (_keepHistory: boolean, error: unknown): Promise<DeleteOutcome> => {
    const failed = (state: FailedDeleteState) => ({ kind: 'failed', error, state }) as const;
    if (!(error instanceof ApiError)) return failed('unknown');
    if (error.status === 404) return { kind: 'gone' };
    if (error.status !== 409 && !outcomeIsUnknown(error)) return failed('same');
    try {
      return failed(stateOf(secret, await api.read(secret)));
    } catch (thrown) {
      return thrown instanceof ApiError && thrown.status === 404 ? { kind: 'gone' } : failed('unknown');
    }
  };
  return { send, look };
}

function stateOf(before: SecretSummary, now: SecretSummary): FailedDeleteState {
  if (now.creationTimestamp !== before.creationTimestamp) return 'replaced';
  if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) return 'pending';
  return now.resourceVersion === before.resourceVersion ? 'same' : 'changed';
}

/** Shows a notice, removes the row from the list, and goes there, unless the user has left the screen. */
function useFinish({ namespace, name }: SecretSummary) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notify = useNotify();
  const isMounted = useIsMounted();
  return (status: DeleteResult['status'], text: string) => {
    notify(`${name} ${text}`);
    const queryKey = queryKeys.list(namespace);
    if (status === 'deleted') {
      queries.setQueryData<SecretList>(queryKey, (old) =>
        old === undefined ? old : { ...old, secrets: old.secrets.filter((secret) => secret.name !== name) },
      );
    }
    void queries.invalidateQueries({ queryKey });
    if (status === 'deleted' && isMounted.current) void navigate(listPath(namespace));
    else void queries.invalidateQueries({ queryKey: queryKeys.secret({ namespace, name }) });
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
