import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { useSessionWatch } from './session-watch.ts';

/** What the last look for a new session has shown. */
export type Found = 'nothing' | 'none' | { readonly stranger: SessionUser };

/**
 * Looks for a new session when the old one is over: on demand, and whenever the tab is looked at again. One of
 * somebody else is not taken: the page, its values and its edits are not theirs.
 */
export function useSessionCheck() {
  const { over, resumed } = useSessionWatch();
  const api = useApi();
  const queries = useQueryClient();
  const [found, setFound] = useState<Found>('nothing');
  const check = useCallback(async () => {
    try {
      const owner = queries.getQueryData<SessionUser>(['me']);
      const user = await api.me();
      if (owner !== undefined && owner.sub !== user.sub) {
        setFound({ stranger: user });
        return;
      }
      queries.setQueryData(['me'], user);
      resumed();
      setFound('nothing');
      await queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    } catch {
      setFound('none'); // still signed out, or out of reach: the alert stays
    }
  }, [api, queries, resumed]);
  useEffect(() => {
    if (!over) return;
    const onFocus = () => void check();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [over, check]);
  return { over, found, check };
}
