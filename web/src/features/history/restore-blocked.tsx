import { Button, Spinner } from '@patternfly/react-core';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';

/** Why a restore cannot be reviewed yet. */
export type RestoreBlock =
  { readonly kind: 'loading' } | { readonly kind: keyof typeof WORDS; readonly error: unknown };

const WORDS = {
  version: {
    title: 'The version could not be read',
    advice: 'You can restore it once its changes can be shown.',
    again: 'Try again',
  },
  live: {
    title: 'The live values could not be read',
    advice: 'You can restore the version once its changes can be shown.',
    again: 'Try again',
  },
  stale: {
    title: 'Someone changed this Secret since you opened it',
    advice: 'Nothing was restored, so that you can look at the change first.',
    again: 'Reload',
  },
  unclear: {
    title: 'Someone changed this Secret since you opened it',
    advice: 'Your first attempt may have restored the version before that: look at the history.',
    again: 'Reload',
  },
  replaced: {
    title: 'This version has changed since you opened it',
    advice: 'Nothing was restored, so that you can look at the change first.',
    again: 'Reload',
  },
} as const;

export interface RestoreBlockedProps {
  readonly title: string;
  /** Undefined: the states are still being loaded. */
  readonly block: RestoreBlock | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Takes the place of the review. */
export function RestoreBlocked({ title, block, onAgain, onClose }: RestoreBlockedProps) {
  const loading = block === undefined || block.kind === 'loading';
  return (
    <Dialog
      id="blocked"
      title={title}
      variant="medium"
      onClose={onClose}
      buttons={
        <>
          {loading ? (
            <Button isDisabled>Restore</Button>
          ) : (
            <Button onClick={onAgain}>{WORDS[block.kind].again}</Button>
          )}
          <Button variant="link" onClick={onClose}>
            Back
          </Button>
        </>
      }
    >
      {loading ? (
        <div className="loading">
          <Spinner aria-label="Loading what would change" />
        </div>
      ) : (
        <ProblemAlert title={WORDS[block.kind].title} error={block.error} advice={WORDS[block.kind].advice} />
      )}
    </Dialog>
  );
}
