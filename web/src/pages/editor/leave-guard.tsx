import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Question } from '../../components/question.tsx';
import { useUnsavedEdits } from '../../shell/unsaved-edits.ts';

export interface LeaveGuardProps {
  readonly unsaved: () => boolean;
  /** What is on its way to the service cannot be called back: leaving waits for its outcome. */
  readonly saving: boolean;
}

/** Asks before unsaved edits are left behind, by a link, by signing out or by closing the tab. */
export function LeaveGuard({ unsaved, saving }: LeaveGuardProps) {
  const edits = useUnsavedEdits();
  useEffect(() => edits.add(unsaved), [edits, unsaved]);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return unsaved() && currentLocation.pathname !== nextLocation.pathname;
  });
  if (blocker.state !== 'blocked') return null;
  const answers = { stay: 'Stay', onStay: () => blocker.reset(), onGo: () => blocker.proceed() };
  return saving ? (
    <Question
      {...answers}
      title="A save is running"
      body="It cannot be called back. Wait a moment: this page goes on as soon as its outcome is known."
    />
  ) : (
    <Question
      {...answers}
      title="Leave without saving?"
      body="What you have changed here is lost when you leave."
      go="Leave"
    />
  );
}
