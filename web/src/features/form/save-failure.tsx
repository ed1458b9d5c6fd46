import type { ReactNode } from 'react';
import { outcomeIsUnknown } from '../../api/http-client.ts';
import { ProblemAlert } from '../../ui/problem.tsx';

export interface Failure {
  readonly error: unknown;
  /** The Secret was read afterwards: nothing was saved, whatever the error leaves open. */
  readonly confirmedNotSaved?: boolean;
  /** The version is archived already with another content; only an admin can go on. */
  readonly isCollision?: boolean;
}

export interface SaveFailureProps {
  readonly failure: Failure;
  /** What a failure is called, when the outcome is open and when it is not. */
  readonly failureTitles?: { readonly unknown: string; readonly failed: string };
  /** What to do about the error. */
  readonly remedy?: ReactNode;
}

const SAVE_TITLES = { unknown: 'It may or may not have been saved', failed: "Couldn't save" };

/** Why a save failed, and whether it may have been done all the same. */
export function SaveFailure({ failure, failureTitles = SAVE_TITLES, remedy }: SaveFailureProps) {
  const { error, confirmedNotSaved = false } = failure;
  const unknown = !confirmedNotSaved && outcomeIsUnknown(error);
  return (
    <ProblemAlert
      title={unknown ? failureTitles.unknown : failureTitles.failed}
      error={error}
      advice={unknown ? 'You can safely try again: a newer version is never overwritten.' : undefined}
      actions={remedy}
    />
  );
}
