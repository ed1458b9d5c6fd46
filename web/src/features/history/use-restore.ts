import { useApi } from '../../api/api-context.ts';
import { ApiError } from '../../api/http-client.ts';
import type { SecretDetail, SecretRef } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import { useNotify } from '../../ui/notices.tsx';

export interface FailedRestore {
  readonly kind: 'failed';
  readonly error: unknown;
  /**
   * `stale`: what was reviewed is no longer live. `replaced`: the version is no longer what was reviewed. `collision`: another
   * state has the number in the history under which the live state would be archived.
   */
  readonly reason: 'stale' | 'replaced' | 'collision' | 'other';
}

type RestoreOutcome = { readonly kind: 'restored'; readonly secret: SecretDetail } | FailedRestore;

/** What was reviewed: the live revision, and the one that the version archives. */
export interface ReviewedRestore {
  readonly resourceVersion: string;
  readonly sourceResourceVersion: string;
  readonly recoverCounter: boolean;
}

/** @param onDone reloads the history and the list */
export function useRestore(secret: SecretRef, version: number, onDone: () => void) {
  const api = useApi();
  const notify = useNotify();
  const send = async (reviewed: ReviewedRestore): Promise<RestoreOutcome> => {
    const { recoverCounter, ...revisions } = reviewed;
    const recover = recoverCounter ? { recoverCounter } : {};
    return { kind: 'restored', secret: await api.restore(secret, { ...revisions, version, ...recover }) };
  };
  /** With both revisions unchanged, a 409 is about the history. */
  const look = async (reviewed: ReviewedRestore, error: unknown): Promise<RestoreOutcome> => {
    const failed = (reason: FailedRestore['reason']) => ({ kind: 'failed', error, reason }) as const;
    if (!(error instanceof ApiError) || error.status !== 409) return failed('other');
    // If the Secret cannot be read, the restore counts as stale: a reload does no harm.
    const now = await api.read(secret).catch(() => undefined);
    if (now?.resourceVersion !== reviewed.resourceVersion) return failed('stale');
    const archived = await api.version(secret, version).catch(() => undefined);
    return failed(archived?.resourceVersion === reviewed.sourceResourceVersion ? 'collision' : 'replaced');
  };
  const { write, isBusy, outcome, clear } = useUncertainWrite(send, look, (result) => {
    if (result.kind === 'failed') return;
    notify(`Version ${version} is restored as version ${result.secret.version}.`);
    onDone();
  });
  return { restore: write, isBusy, failure: outcome?.kind === 'failed' ? outcome : undefined, clear };
}
