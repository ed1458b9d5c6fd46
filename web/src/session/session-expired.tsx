import { Alert, Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useApi } from '../api/api-context.ts';
import { useSessionWatch } from './session-watch.ts';

/** Says that the session is over, and leaves the page as it is: what was typed is still there. */
export function SessionExpired() {
  const watch = useSessionWatch();
  const { over, resumed } = watch;
  const api = useApi();
  const queries = useQueryClient();
  const [still, setStill] = useState(false);
  const check = useCallback(async () => {
    try {
      queries.setQueryData(['me'], await api.me());
      resumed();
      setStill(false);
      await queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
    } catch {
      setStill(true); // still signed out, or out of reach: the alert stays
    }
  }, [api, queries, resumed]);
  useEffect(() => {
    if (!over) return;
    const onFocus = () => void check();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [over, check]);
  if (!over) return null;
  return (
    <aside className="session-expired" aria-label="Session">
      <Alert
        variant="warning"
        isInline
        component="h2"
        title="Your session has ended"
        actionLinks={
          <>
            <a
              className="pf-v6-c-button pf-m-primary"
              href="/api/auth/login"
              target="_blank"
              rel="noreferrer"
            >
              Sign in in a new tab
            </a>
            <Button variant="secondary" onClick={() => void check()}>
              I have signed in
            </Button>
          </>
        }
      >
        <p role="status">
          {still ? 'There is no new session yet. ' : ''}
          Everything on this page stays as it is, what you have typed too. Sign in again and go on here.
        </p>
      </Alert>
    </aside>
  );
}
