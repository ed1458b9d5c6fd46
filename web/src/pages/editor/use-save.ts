import { useState } from 'react';
import { useApi } from '../../api/api-context.ts';
import type { SecretChange, SecretDetail } from '../../api/secrets-api.ts';
import { ApiError, outcomeIsUnknown } from '../../api/wire.ts';
import type { Draft } from '../../editing/draft.ts';
import { standingOf } from '../../editing/outcome.ts';

/** What was sent; the form may hold something else by the time that the answer comes. */
export interface Attempt {
  readonly base: SecretDetail;
  readonly draft: Draft;
  readonly change: Omit<SecretChange, 'resourceVersion'>;
}

/** Why a save did not come about. */
export interface SaveProblem {
  readonly error: unknown;
  /** A look afterwards has shown that nothing was saved. */
  readonly unsaved?: boolean;
  readonly collision?: boolean;
  /** There is nothing to save onto any more. */
  readonly gone?: boolean;
}

export interface SaveOutcome {
  readonly onSaved: (attempt: Attempt, saved: SecretDetail) => void;
  readonly onConflict: (theirs: SecretDetail) => void;
}

/** One save at a time; where the answer does not tell what came of it, the Secret as it is now does. */
export function useSave({ onSaved, onConflict }: SaveOutcome) {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<SaveProblem>();
  const look = async (attempt: Attempt, error: ApiError) => {
    const now = await api.read(attempt.base).catch((thrown: unknown) => {
      const gone = thrown instanceof ApiError && thrown.status === 404;
      setProblem(gone ? { error: thrown, gone, unsaved: true } : { error });
    });
    if (now === undefined) return;
    const standing = standingOf(attempt.base, attempt.draft, now);
    if (standing === 'saved') onSaved(attempt, now);
    else if (standing === 'changed') onConflict(now);
    // The revision is still the one that was loaded, so it is the history that a 409 speaks of.
    else setProblem({ error, unsaved: true, collision: error.status === 409 });
  };
  const send = async (attempt: Attempt, recoverCounter: boolean) => {
    const { base, change } = attempt;
    const recover = recoverCounter ? { recoverCounter: true as const } : {};
    try {
      const request = { ...change, resourceVersion: base.resourceVersion, ...recover };
      onSaved(attempt, await api.update(base, request));
    } catch (error) {
      if (error instanceof ApiError && (error.status === 409 || outcomeIsUnknown(error))) {
        await look(attempt, error);
      } else setProblem({ error, gone: error instanceof ApiError && error.status === 404 });
    }
  };
  const save = async (attempt: Attempt, recoverCounter: boolean) => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    await send(attempt, recoverCounter);
    setBusy(false);
  };
  return { save, busy, problem, clear: () => setProblem(undefined) };
}
