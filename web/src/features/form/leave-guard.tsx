import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Question } from '../../ui/question.tsx';
import { useUnsavedEdits } from '../../ui/unsaved-edits.ts';

export interface LeaveGuardProps {
  readonly isDirty: () => boolean;
  /** What is on its way to the service cannot be called back: leaving waits for its outcome. */
  readonly isSaving: boolean;
}

/** Asks before unsaved edits are left behind, by a link, by signing out or by closing the tab. */
export function LeaveGuard({ isDirty, isSaving }: LeaveGuardProps) {
  const edits = useUnsavedEdits();
  useEffect(() => edits.add(isDirty), [edits, isDirty]);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return isDirty() && currentLocation.pathname !== nextLocation.pathname;
  });
  if (blocker.state !== 'blocked') return null;
  const answers = { stay: 'Stay', onStay: () => blocker.reset(), onGo: () => blocker.proceed() };
  return isSaving ? (
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
