import { useRef } from 'react';
import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import type { SecretDetail, SecretRef, SecretSummary, VersionDetail } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { useNotify } from '../../ui/notices.tsx';
import { restoreStateOf } from './states.ts';

export interface FailedRestore {
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
export interface ReviewedRestore {
  readonly live: SecretDetail;
  readonly archived: VersionDetail;
  /** Left out: all. */
  readonly keys?: readonly string[];
  readonly recoverCounter: boolean;
  readonly changeNote?: string;
}

/** @param onDone reloads the history and the list */
export function useRestore(secret: SecretRef, version: number, onDone: () => void) {
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
        mayHaveRestored.current = false;
        if (!isRefused) return { ...failed('other'), confirmedNotRestored: true };
    }
    // With the live revision unchanged, a refusal is about the history.
    const found = await api.version(secret, version).catch(() => undefined);
    return failed(found?.resourceVersion === archived.resourceVersion ? 'collision' : 'replaced');
  };
  return { send, look };
}
