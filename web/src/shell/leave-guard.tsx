import { useEffect, useSyncExternalStore } from 'react';
import { NavigationType, useBlocker } from 'react-router';
import { Question } from '../ui/dialog.tsx';
import { useDirtyForms } from '../ui/dirty-forms.ts';

/** Confirms before a link or the browser's history leaves behind what is not saved; what was sent is waited for. */
export function LeaveGuard() {
  const edits = useDirtyForms();
  const lost = useSyncExternalStore(edits.subscribe, edits.dirty);
  const blocker = useBlocker(
    ({ historyAction, currentLocation: from, nextLocation: to }) =>
      edits.dirty() !== undefined &&
      // Back and forward also change what an address shows; a filter replaces its own.
      (from.pathname !== to.pathname || (historyAction === NavigationType.Pop && from.search !== to.search)),
  );
  useEffect(() => {
    if (blocker.state === 'blocked' && lost === undefined) blocker.reset();
  }, [blocker, lost]);
  if (blocker.state !== 'blocked' || lost === undefined) return null;
  return <Question {...WORDS[lost]} onStay={() => blocker.reset()} onGo={() => blocker.proceed()} />;
}

const WORDS = {
  sent: {
    title: 'Still working…',
    body: "The request was sent and can't be called back. This page continues as soon as it's done.",
    stay: 'Keep waiting',
  },
  typed: {
    title: 'Leave without saving?',
    body: 'Your changes will be lost.',
    stay: 'Keep editing',
    go: 'Leave',
  },
};
