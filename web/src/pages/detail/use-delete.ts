import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../api/api-context.ts';
import type { DeleteResult, SecretDetail, SecretList } from '../../api/secrets-api.ts';
import { ApiError, outcomeIsUnknown } from '../../api/wire.ts';
import { useNotice } from '../../shell/notices.tsx';
import { listPath } from '../../paths.ts';

/**
 * What has become of the Secret, seen afterwards. `replaced`: another one has its name; a detail has no UID, so it is
 * told by the time of creation. `unknown`: it could not be looked at.
 */
export type Fate = 'gone' | 'replaced' | 'pending' | 'changed' | 'same' | 'unknown';

export interface DeleteProblem {
  readonly error: unknown;
  readonly fate: Fate;
}

const WORDS = { deleted: 'is deleted.', pending: 'is about to go: its deletion is pending.' } as const;

export interface DeleteHooks {
  readonly onClose: () => void;
  readonly onReload: () => void;
}

export function useDelete(secret: SecretDetail, { onClose, onReload }: DeleteHooks) {
  const api = useApi();
  const finish = useFinish(secret);
  const look = useLook(secret);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<DeleteProblem>();
  const remove = async (keepHistory: boolean) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { status, history } = await api.remove(secret, secret.resourceVersion, keepHistory);
      const kept = history === 'retained' ? 'Its history is kept.' : 'Its history is cleaned.';
      finish(status, `${WORDS[status]} ${kept}`);
      if (status === 'pending') {
        onClose();
        onReload();
      }
    } catch (error) {
      const fate = await look(error);
      if (fate === 'gone') finish('deleted', 'is not there any more.');
      else setProblem({ error, fate });
    } finally {
      setBusy(false);
    }
  };
  return { remove, busy, problem };
}

/** Looks at the Secret where the answer alone does not tell what has become of it. */
function useLook(secret: SecretDetail) {
  const api = useApi();
  return async (error: unknown): Promise<Fate> => {
    if (!(error instanceof ApiError)) return 'unknown';
    if (error.status === 404) return 'gone';
    if (error.status !== 409 && !outcomeIsUnknown(error)) return 'same';
    try {
      return fateOf(secret, await api.read(secret));
    } catch (thrown) {
      return thrown instanceof ApiError && thrown.status === 404 ? 'gone' : 'unknown';
    }
  };
}

function fateOf(before: SecretDetail, now: SecretDetail): Fate {
  if (now.creationTimestamp !== before.creationTimestamp) return 'replaced';
  if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) return 'pending';
  return now.resourceVersion === before.resourceVersion ? 'same' : 'changed';
}

/** Says it, takes the row out of the list, and leads there, unless somebody is elsewhere by then. */
function useFinish({ namespace, name }: SecretDetail) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const tell = useNotice();
  const onScreen = useMounted();
  return (status: DeleteResult['status'], said: string) => {
    tell(`${name} ${said}`);
    const list = { queryKey: ['list', namespace] };
    if (status === 'deleted') {
      queries.setQueryData<SecretList>(list.queryKey, (old) =>
        old === undefined ? old : { ...old, secrets: old.secrets.filter((secret) => secret.name !== name) },
      );
    }
    void queries.invalidateQueries(list);
    if (status === 'deleted' && onScreen.current) void navigate(listPath(namespace));
    else void queries.invalidateQueries({ queryKey: ['secret', namespace, name] });
  };
}

function useMounted() {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
