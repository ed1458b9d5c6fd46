import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretDetail, SecretRef, SecretSummary, VersionDetail } from '../../api/secrets-api.ts';
import { ReviewDialog, useKeySelection, type ReviewDialogProps } from '../form/review-dialog.tsx';
import { compareStates, restoreStateOf } from './states.ts';
import { Button, Spinner } from '@patternfly/react-core';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem.tsx';
import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import { useUncertainWrite } from '../../ui/use-uncertain-write.ts';
import { useNotify } from '../../ui/notices.tsx';

interface RestoreDialogProps {
  readonly secret: SecretRef;
  readonly version: number;
  readonly note: Required<ReviewDialogProps>['note'];
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
export function RestoreDialog({ secret, version, note, onClose, onReload, onDone }: RestoreDialogProps) {
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
      {...{ note, isBusy }}
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
  },
  live: {
    title: 'The live values could not be read',
    advice: 'You can restore the version once its changes can be shown.',
  },
  stale: {
    title: 'Someone changed this Secret since you opened it',
    advice: 'Nothing was restored, so that you can look at the change first.',
  },
  unclear: {
    title: 'Someone changed this Secret since you opened it',
    advice: 'Your first attempt may have restored the version before that: look at the history.',
  },
  replaced: {
    title: 'This version has changed since you opened it',
    advice: 'Nothing was restored, so that you can look at the change first.',
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
            <Button onClick={onAgain}>
              {block.kind === 'version' || block.kind === 'live' ? 'Try again' : 'Reload'}
            </Button>
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

interface FailedRestore {
  readonly kind: 'failed';
  readonly error: unknown;
  /**
   * `stale`: what was reviewed is no longer live. `unclear`: the same, after an attempt whose answer was lost. `replaced`:
   * the version is no longer what was reviewed. `collision`: another state has the number in the history under which the
   * live state would be archived.
   */
  readonly reason: 'stale' | 'unclear' | 'replaced' | 'collision' | 'other';
  /** The Secret was read afterwards: nothing was restored. */
  readonly confirmedNotRestored?: boolean;
}

type RestoreOutcome = { readonly kind: 'restored'; readonly secret: SecretSummary } | FailedRestore;

/** What was reviewed. */
interface ReviewedRestore {
  readonly live: SecretDetail;
  readonly archived: VersionDetail;
  /** Left out: all. */
  readonly keys?: readonly string[];
  readonly recoverCounter: boolean;
  readonly changeNote?: string;
}

/** @param onDone reloads the history and the list */
function useRestore(secret: SecretRef, version: number, onDone: () => void) {
  const notify = useNotify();
  const { send, look } = useRestoreRequest(secret, version);
  const { write, isBusy, outcome, clear } = useUncertainWrite(send, look, (result) => {
    if (result.kind === 'failed') return;
    notify(`Version ${version} is restored as version ${result.secret.version}.`);
    onDone();
  });
  return { restore: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined, clear };
}

function useRestoreRequest(secret: SecretRef, version: number) {
  const api = useApi();
  // After a lost answer, "has changed" may be about the restore that this dialog itself has sent.
  const mayHaveRestored = useRef(false);
  const send = async (reviewed: ReviewedRestore): Promise<RestoreOutcome> => {
    const { live, archived, recoverCounter, ...rest } = reviewed;
    const request = {
      version,
      resourceVersion: live.resourceVersion,
      sourceResourceVersion: archived.resourceVersion,
      ...rest,
      ...(recoverCounter ? { recoverCounter } : {}),
    };
    return { kind: 'restored', secret: await api.restore(secret, request) };
  };
  const look = async (reviewed: ReviewedRestore, error: unknown): Promise<RestoreOutcome> => {
    const { live, archived } = reviewed;
    const mayHaveBefore = mayHaveRestored.current;
    mayHaveRestored.current ||= outcomeIsUnknown(error);
    const failed = (reason: FailedRestore['reason']) => ({ kind: 'failed', error, reason }) as const;
    const isRefused = error instanceof ApiError && error.status === 409;
    if (!isRefused && !outcomeIsUnknown(error)) return failed('other');
    const stale = mayHaveRestored.current ? 'unclear' : 'stale';
    const now = await api.read(secret).catch(() => undefined);
    // If the Secret cannot be read, a refused restore counts as stale: a reload does no harm.
    if (now === undefined) return failed(isRefused ? stale : 'other');
    switch (restoreStateOf(live, reviewed, now)) {
      case 'restored':
        // Without an attempt that may have worked, the same values came from someone else.
        return mayHaveRestored.current ? { kind: 'restored', secret: now } : failed('stale');
      case 'changed':
        return failed(stale);
      case 'notRestored':
        mayHaveRestored.current = mayHaveBefore || outcomeIsUnknown(error, true);
        if (!isRefused) return { ...failed('other'), confirmedNotRestored: !mayHaveRestored.current };
    }
    if (now.deletionTimestamp !== undefined) return failed('other');
    // With the live revision unchanged, a refusal is about the history.
    const found = await api.version(secret, version).catch(() => undefined);
    return failed(found?.resourceVersion === archived.resourceVersion ? 'collision' : 'replaced');
  };
  return { send, look };
}
