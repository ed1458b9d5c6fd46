import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Question } from '../../ui/dialog.tsx';
import { useDirtyForms } from '../../ui/dirty-forms.ts';

export interface LeaveGuardProps {
  readonly isDirty: () => boolean;
  /** What is on its way to the service cannot be called back: leaving waits for its outcome. */
  readonly isSaving: boolean;
}

/** Confirms before someone leaves edits that are not saved behind, by a link, by signing out or by closing the tab. */
export function LeaveGuard({ isDirty, isSaving }: LeaveGuardProps) {
  const edits = useDirtyForms();
  useEffect(() => edits.add(isDirty), [edits, isDirty]);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return isDirty() && currentLocation.pathname !== nextLocation.pathname;
  });
  if (blocker.state !== 'blocked') return null;
  const stay = isSaving ? 'Keep waiting' : 'Keep editing';
  const answers = { stay, onStay: () => blocker.reset(), onGo: () => blocker.proceed() };
  return <Question {...answers} {...(isSaving ? SAVING : LEAVING)} />;
}

const SAVING = {
  title: 'Saving…',
  body: "The save was sent and can't be stopped. This page continues as soon as it's done.",
};
const LEAVING = { title: 'Leave without saving?', body: 'Your changes will be lost.', go: 'Leave' };
