import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { useSessionWatch } from './session-watch.ts';

/** What the last check for a new session has found: nothing checked yet, no session, or the session of another user. */
export type SessionCheck = 'notChecked' | 'noSession' | { readonly otherUser: SessionUser };

/**
 * Looks for a new session when the old one is over: on demand, and whenever the tab is looked at again. One of
 * someone else is not taken: the page, its values and its edits are not theirs.
 */
export function useSessionCheck() {
  const { isEnded, resumed } = useSessionWatch();
  const api = useApi();
  const queries = useQueryClient();
  const [result, setResult] = useState<SessionCheck>('notChecked');
  const check = useCallback(async () => {
    try {
      const owner = queries.getQueryData<SessionUser>(queryKeys.me());
      const user = await api.me();
      if (owner !== undefined && owner.sub !== user.sub) {
        setResult({ otherUser: user });
        return;
      }
      queries.setQueryData(queryKeys.me(), user);
      resumed();
      setResult('notChecked');
      await queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    } catch {
      setResult('noSession'); // still signed out, or out of reach: the alert stays
    }
  }, [api, queries, resumed]);
  useEffect(() => {
    if (!isEnded) return;
    const onFocus = () => void check();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isEnded, check]);
  return { isEnded, result, check };
}
