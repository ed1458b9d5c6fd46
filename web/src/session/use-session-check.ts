import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { useSessionWatch } from '../api/session-watch.ts';

/** What the last check for a new session has found: nothing checked yet, no session, or the session of another user. */
export type SessionCheck = 'notChecked' | 'noSession' | { readonly otherUser: SessionUser };

/**
 * Looks for a new session when the old one is over: on demand, whenever the tab is looked at again, and when another
 * tab reports a change. One of someone else is not taken: the page, its values and its edits are not theirs.
 */
export function useSessionCheck() {
  const { isEnded, resumed, replaced, onNews } = useSessionWatch();
  const api = useApi();
  const queries = useQueryClient();
  const [result, setResult] = useState<SessionCheck>('notChecked');
  const look = useCallback(
    async (otherwise: 'notChecked' | 'noSession') => {
      try {
        const owner = queries.getQueryData<SessionUser>(queryKeys.me());
        const user = await api.me();
        if (owner !== undefined && owner.sub !== user.sub) {
          replaced();
          setResult({ otherUser: user });
          return;
        }
        queries.setQueryData(queryKeys.me(), user);
        resumed();
        setResult('notChecked');
        await queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      } catch {
        setResult(otherwise); // still signed out, or out of reach: the notice stays
      }
    },
    [api, queries, resumed, replaced],
  );
  useEffect(() => {
    if (!isEnded) return;
    const onFocus = () => void look('noSession');
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isEnded, look]);
  // The news may be late: the end that another tab has seen may be that of the session before.
  useEffect(() => onNews(() => void look('notChecked')), [onNews, look]);
  return { isEnded, result, check: () => look('noSession') };
}
