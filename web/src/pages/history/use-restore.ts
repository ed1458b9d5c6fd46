import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { SecretRef } from '../../api/secrets-api.ts';
import { ApiError } from '../../api/wire.ts';
import { useNotice } from '../../shell/notices.tsx';

/** Why a restore did not happen. */
export interface Refusal {
  readonly error: unknown;
  /**
   * `stale`: what was reviewed is no longer live. `replaced`: the version is no longer what was reviewed. `collision`: the
   * history stands in the way.
   */
  readonly kind: 'stale' | 'replaced' | 'collision' | 'other';
}

/** What was reviewed: the revision that is live, and the one that the version archives. */
export interface Reviewed {
  readonly resourceVersion: string;
  readonly sourceResourceVersion: string;
}

/** @param onDone loads the history and the list anew */
export function useRestore(secret: SecretRef, version: number, onDone: () => void) {
  const api = useApi();
  const tell = useNotice();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const restore = async (reviewed: Reviewed, recoverCounter: boolean) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const recover = recoverCounter ? { recoverCounter: true as const } : {};
      const restored = await api.restore(secret, { ...reviewed, version, ...recover });
      tell(`Version ${version} is restored as version ${restored.version}.`);
      onDone();
    } catch (error) {
      setRefusal({ error, kind: await kindOf(error, reviewed) });
    } finally {
      setBusy(false);
    }
  };
  /** With both revisions unchanged, a 409 means that the history stands in the way. */
  const kindOf = async (error: unknown, reviewed: Reviewed): Promise<Refusal['kind']> => {
    if (!(error instanceof ApiError) || error.status !== 409) return 'other';
    // Without an answer a second look does no harm: it asks again.
    const now = await api.read(secret).catch(() => undefined);
    if (now?.resourceVersion !== reviewed.resourceVersion) return 'stale';
    const archived = await api.version(secret, version).catch(() => undefined);
    return archived?.resourceVersion === reviewed.sourceResourceVersion ? 'collision' : 'replaced';
  };
  return { restore, busy, refusal, forget: () => setRefusal(undefined) };
}
