import { useApi } from '../../api/api-context.ts';
import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import type { SecretChange, SecretDetail } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../api/use-uncertain-write.ts';
import type { Draft } from '../../editing/draft.ts';
import { saveStateOf } from '../../editing/save-state.ts';

/** What was sent; the form may hold something else by the time that the answer comes. */
export interface SaveAttempt {
  readonly base: SecretDetail;
  readonly draft: Draft;
  readonly change: Omit<SecretChange, 'resourceVersion'>;
  readonly recoverCounter: boolean;
  readonly changeNote?: string;
}

export interface FailedSave {
  readonly kind: 'failed';
  readonly error: unknown;
  /** The Secret was read afterwards: nothing was saved. */
  readonly confirmedNotSaved?: boolean;
  readonly isCollision?: boolean;
  /** The Secret no longer exists. */
  readonly isGone?: boolean;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly secret: SecretDetail }
  | { readonly kind: 'conflict'; readonly theirs: SecretDetail }
  | FailedSave;

/** Saves an edit. Where the answer leaves the outcome open, the Secret as it is now shows it. */
export function useSave(onOutcome: (outcome: SaveOutcome, attempt: SaveAttempt) => void) {
  const api = useApi();
  const send = async ({ base, change, recoverCounter, changeNote }: SaveAttempt): Promise<SaveOutcome> => {
    const request = {
      ...change,
      resourceVersion: base.resourceVersion,
      ...(changeNote === undefined ? {} : { changeNote }),
      ...(recoverCounter ? { recoverCounter: true as const } : {}),
    };
    return { kind: 'saved', secret: await api.update(base, request) };
  };
  const look = async (attempt: SaveAttempt, error: unknown): Promise<SaveOutcome> => {
    if (!(error instanceof ApiError)) return { kind: 'failed', error };
    if (error.status !== 409 && !outcomeIsUnknown(error)) {
      return { kind: 'failed', error, isGone: error.status === 404 };
    }
    try {
      return outcomeOf(attempt, await api.read(attempt.base), error);
    } catch (thrown) {
      const isGone = thrown instanceof ApiError && thrown.status === 404;
      return { kind: 'failed', ...(isGone ? { error: thrown, isGone, confirmedNotSaved: true } : { error }) };
    }
  };
  return useUncertainWrite(send, look, onOutcome);
}

function outcomeOf({ base, draft }: SaveAttempt, now: SecretDetail, error: ApiError): SaveOutcome {
  switch (saveStateOf(base, draft, now)) {
    case 'saved':
      return { kind: 'saved', secret: now };
    case 'changed':
      return { kind: 'conflict', theirs: now };
    case 'notSaved':
      // The revision is still the one that was loaded, so a 409 is about the history.
      return { kind: 'failed', error, confirmedNotSaved: true, isCollision: error.status === 409 };
  }
}
