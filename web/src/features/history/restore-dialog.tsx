import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { ReviewDialog } from '../form/review-dialog.tsx';
import { RestoreBlocked, type RestoreBlock } from './restore-blocked.tsx';
import { compareStates } from './states.ts';
import { useRestore, type FailedRestore } from './use-restore.ts';

export interface RestoreDialogProps {
  readonly secret: SecretRef;
  readonly version: number;
  readonly onClose: () => void;
  /** The history may have changed as well. */
  readonly onReload: () => void;
  readonly onDone: () => void;
}

/** Shows what a restore would change, and does it; nothing can be confirmed that was not shown. */
export function RestoreDialog({ secret, version, onClose, onReload, onDone }: RestoreDialogProps) {
  const live = useSecret(secret);
  const archived = useVersion(secret, version);
  const { restore, isBusy, failure, clear } = useRestore(secret, version, onDone);
  const title = `Restore version ${version} of ${secret.name}?`;
  const again = () => {
    clear();
    onReload();
    void live.refetch();
    void archived.refetch();
  };
  const block = blockOf(live, archived, failure);
  if (live.data === undefined || archived.data === undefined || block !== undefined) {
    return <RestoreBlocked title={title} block={block} onAgain={again} onClose={onClose} />;
  }
  const reviewed = {
    resourceVersion: live.data.resourceVersion,
    sourceResourceVersion: archived.data.resourceVersion,
  };
  return (
    <ReviewDialog
      title={title}
      confirm="Restore"
      changes={compareStates(live.data, archived.data).filter(({ kind }) => kind !== 'same')}
      isBusy={isBusy}
      error={failure?.error}
      isCollision={failure?.reason === 'collision'}
      onConfirm={(recoverCounter) => void restore({ ...reviewed, recoverCounter })}
      onClose={onClose}
    >
      <p>
        The values become those of version {version}, as a new version. Description and access rules stay as
        they are, and the current state is archived first.
      </p>
    </ReviewDialog>
  );
}

type Read = Pick<ReturnType<typeof useSecret>, 'error' | 'isFetching'>;

/** Why the review cannot be shown; undefined when it can. */
function blockOf(live: Read, archived: Read, failure: FailedRestore | undefined): RestoreBlock | undefined {
  if (live.isFetching || archived.isFetching) return { kind: 'loading' };
  if (archived.error !== null) return { kind: 'version', error: archived.error };
  if (live.error !== null) return { kind: 'live', error: live.error };
  if (failure?.reason !== 'stale' && failure?.reason !== 'replaced') return undefined;
  return { kind: failure.reason, error: failure.error };
}
