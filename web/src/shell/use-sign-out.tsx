import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PAGE_ROUTES } from '../../../src/contract/page-routes.ts';
import { useApi } from '../api/api-context.ts';
import { useSessionWatch } from '../api/session-watch.ts';
import { forgetRecentPlaces } from '../places/use-places.ts';
import { Question } from '../ui/question.tsx';
import { useDirtyForms } from '../ui/dirty-forms.ts';

/** Ends the session; confirms first when something would be lost. */
export function useSignOut() {
  const api = useApi();
  const queries = useQueryClient();
  const edits = useDirtyForms();
  const { signedOut } = useSessionWatch();
  const [isConfirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState('');
  const leave = async () => {
    setConfirming(false);
    let atProvider: string | undefined;
    try {
      atProvider = await api.signOut();
    } catch {
      // The cookie is still there, and only the service can remove it: no one may think that it has.
      setFailure("You're still signed in. Try again.");
      return;
    }
    signedOut();
    edits.forget();
    queries.clear();
    forgetRecentPlaces();
    window.location.assign(atProvider ?? PAGE_ROUTES.login);
  };
  const question = isConfirming && (
    <Question
      title="Sign out without saving?"
      body="Your changes will be lost."
      stay="Stay signed in"
      go="Sign out"
      onStay={() => setConfirming(false)}
      onGo={() => void leave()}
    />
  );
  return {
    signOut: () => {
      if (edits.any()) setConfirming(true);
      else void leave();
    },
    failure,
    question,
  };
}
