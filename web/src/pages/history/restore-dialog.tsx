import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import { useVersion } from '../../api/queries.ts';
import type { SecretDetail } from '../../api/secrets-api.ts';
import { ApiError } from '../../api/wire.ts';
import { changedKeys } from '../../editing/changes.ts';
import { useNotice } from '../../shell/notices.tsx';
import { ReviewDialog } from '../editor/review-dialog.tsx';
import { allValues } from './comparison.tsx';

export interface RestoreDialogProps {
  readonly live: SecretDetail;
  readonly version: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows what a restore would change, and does it. */
export function RestoreDialog({ live, version, onClose, onDone }: RestoreDialogProps) {
  const archived = useVersion(live, version);
  const { restore, busy, error, collision } = useRestore(live, version, onDone);
  return (
    <ReviewDialog
      title={`Restore version ${version} of ${live.name}?`}
      confirm="Restore"
      changes={archived.data === undefined ? [] : changedKeys(allValues(live), allValues(archived.data))}
      busy={busy || archived.isFetching}
      error={error ?? archived.error ?? undefined}
      collision={collision}
      onConfirm={(recover) => void restore(recover)}
      onClose={onClose}
    >
      <p>
        The values become those of version {version}, as a new version. Description and access rules stay as
        they are, and the present state is archived first.
      </p>
    </ReviewDialog>
  );
}

function useRestore(live: SecretDetail, version: number, onDone: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const tell = useNotice();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [collision, setCollision] = useState(false);
  const restore = async (recoverCounter: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      const recover = recoverCounter ? { recoverCounter: true as const } : {};
      const request = { resourceVersion: live.resourceVersion, version, ...recover };
      const restored = await api.restore(live, request);
      tell(`Version ${version} is restored as version ${restored.version}.`);
      await queries.invalidateQueries({ queryKey: ['list', live.namespace] });
      onDone();
    } catch (thrown) {
      setCollision(await isCollision(thrown));
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  /** With the revision unchanged, a 409 means that the history stands in the way. */
  const isCollision = async (thrown: unknown): Promise<boolean> => {
    if (!(thrown instanceof ApiError) || thrown.status !== 409) return false;
    // Without an answer the refusal is shown as the service worded it, which is right in both cases.
    const now = await api.read(live).catch(() => undefined);
    return now?.resourceVersion === live.resourceVersion;
  };
  return { restore, busy, error, collision };
}
