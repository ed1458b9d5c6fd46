import { useSecret, useVersion } from '../../api/queries.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { ReviewDialog } from '../editor/review-dialog.tsx';
import { RestoreHindered, type Hindrance } from './restore-hindered.tsx';
import { compareStates } from './states.ts';
import { useRestore } from './use-restore.ts';

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
  const { restore, busy, refusal, forget } = useRestore(secret, version, onDone);
  const title = `Restore version ${version} of ${secret.name}?`;
  const again = () => {
    forget();
    onReload();
    void live.refetch();
    void archived.refetch();
  };
  const hindrance = hindranceOf(live, archived, refusal);
  if (live.data === undefined || archived.data === undefined || hindrance !== undefined) {
    return <RestoreHindered title={title} hindrance={hindrance} onAgain={again} onClose={onClose} />;
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
      busy={busy}
      error={refusal?.error}
      collision={refusal?.kind === 'collision'}
      onConfirm={(recover) => void restore(reviewed, recover)}
      onClose={onClose}
    >
      <p>
        The values become those of version {version}, as a new version. Description and access rules stay as
        they are, and the present state is archived first.
      </p>
    </ReviewDialog>
  );
}

type Read = Pick<ReturnType<typeof useSecret>, 'error' | 'isFetching'>;

/** What stands between the reader and the review; undefined while nothing but time does. */
function hindranceOf(
  live: Read,
  archived: Read,
  refusal: ReturnType<typeof useRestore>['refusal'],
): Hindrance | undefined {
  if (live.isFetching || archived.isFetching) return { kind: 'loading' };
  if (archived.error !== null) return { kind: 'version', error: archived.error };
  if (live.error !== null) return { kind: 'live', error: live.error };
  if (refusal?.kind !== 'stale' && refusal?.kind !== 'replaced') return undefined;
  return { kind: refusal.kind, error: refusal.error };
}
