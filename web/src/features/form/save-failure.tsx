import type { ReactNode } from 'react';
import { outcomeIsUnknown } from '../../api/http-client.ts';
import { ProblemAlert } from '../../ui/problem.tsx';

export interface SaveFailureProps {
  readonly error: unknown;
  /** The Secret was read afterwards: nothing was saved, whatever the error leaves open. */
  readonly confirmedNotSaved?: boolean;
  /** What a failure is called, when the outcome is open and when it is not. */
  readonly failureTitles?: { readonly unknown: string; readonly failed: string };
  /** What to do about the error. */
  readonly remedy?: ReactNode;
}

const SAVE_TITLES = { unknown: 'It may or may not have been saved', failed: "Couldn't save" };

/** Why a save failed, and whether it may have been done all the same. */
export function SaveFailure(props: SaveFailureProps) {
  const { error, confirmedNotSaved = false, failureTitles = SAVE_TITLES, remedy } = props;
  const unknown = !confirmedNotSaved && outcomeIsUnknown(error);
  const title = unknown ? failureTitles.unknown : failureTitles.failed;
  return (
    <ProblemAlert
      title={title}
      error={error}
      advice={unknown ? 'You can safely try again: a newer version is never overwritten.' : undefined}
      actions={remedy}
    />
  );
}
