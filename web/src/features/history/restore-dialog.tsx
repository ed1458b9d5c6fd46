import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { ReviewDialog, useKeySelection } from '../form/review-dialog.tsx';
import { compareStates } from './states.ts';
import { useRestore, type FailedRestore } from './use-restore.ts';
import { Button, Spinner } from '@patternfly/react-core';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';

export interface RestoreDialogProps {
  readonly secret: SecretRef;
  readonly version: number;
  readonly onClose: () => void;
  /** The history may have changed as well. */
  readonly onReload: () => void;
  readonly onDone: () => void;
}

const FAILURE_TITLES = {
  unknown: 'It may or may not have been restored',
  failed: "Couldn't restore the version",
};

/** Shows what a restore would change, and does it; nothing can be confirmed that was not shown. */
export function RestoreDialog({ secret, version, onClose, onReload, onDone }: RestoreDialogProps) {
  const live = useSecret(secret);
  const archived = useVersion(secret, version);
  const { restore, isBusy, failure, clear } = useRestore(secret, version, onDone);
  const selection = useKeySelection('Restore');
  const title = `Restore version ${version} of ${secret.name}?`;
  const again = () => {
    clear();
    onReload();
    void live.refetch();
    void archived.refetch();
  };
  const isLoading = live.isFetching || archived.isFetching;
  const block = isLoading ? undefined : blockOf(live, archived, failure);
  if (isLoading || live.data === undefined || archived.data === undefined || block !== undefined) {
    return <RestoreBlocked title={title} block={block} onAgain={again} onClose={onClose} />;
  }
  const changes = compareStates(live.data, archived.data).filter(({ kind }) => kind !== 'same');
  const keys = changes.map(({ key }) => key).filter(selection.has);
  const isPart = keys.length < changes.length;
  const reviewed = { live: live.data, archived: archived.data, ...(isPart ? { keys } : {}) };
  return (
    <ReviewDialog
      title={title}
      confirm="Restore"
      changes={changes}
      selection={selection}
      isEmpty={isPart && keys.length === 0}
      isBusy={isBusy}
      failure={
        failure && {
          error: failure.error,
          confirmedNotSaved: failure.confirmedNotRestored ?? false,
          isCollision: failure.reason === 'collision',
        }
      }
      failureTitles={FAILURE_TITLES}
      onConfirm={(confirmation) => void restore({ ...reviewed, ...confirmation })}
      onClose={onClose}
    >
      <p>
        {isPart ? 'The chosen keys' : 'The values'} go back to those of version {version}, as a new version.
        Everything else stays as it is, description and access rules too, and the current state is archived
        first.
      </p>
    </ReviewDialog>
  );
}

type Read = Pick<ReturnType<typeof useSecret>, 'error'>;

/** Why the review cannot be shown; undefined when it can. */
function blockOf(live: Read, archived: Read, failure: FailedRestore | undefined): RestoreBlock | undefined {
  if (archived.error !== null) return { kind: 'version', error: archived.error };
  if (live.error !== null) return { kind: 'live', error: live.error };
  switch (failure?.reason) {
    case 'stale':
    case 'unclear':
    case 'replaced':
      return { kind: failure.reason, error: failure.error };
    default:
      return undefined;
  }
}

/** Why a restore cannot be reviewed yet. */
interface RestoreBlock {
  readonly kind: keyof typeof WORDS;
  readonly error: unknown;
}

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

interface RestoreBlockedProps {
  readonly title: string;
  /** Undefined: the states are still being loaded. */
  readonly block: RestoreBlock | undefined;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Takes the place of the review. */
function RestoreBlocked({ title, block, onAgain, onClose }: RestoreBlockedProps) {
  return (
    <Dialog
      id="blocked"
      title={title}
      variant="medium"
      onClose={onClose}
      buttons={
        <>
          {block === undefined ? (
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
      {block === undefined ? (
        <div className="loading">
          <Spinner aria-label="Loading what would change" />
        </div>
      ) : (
        <ProblemAlert title={WORDS[block.kind].title} error={block.error} advice={WORDS[block.kind].advice} />
      )}
    </Dialog>
  );
}
