import { RULE_LISTS } from '../../../../src/contract/access-rules.ts';
import { useApi } from '../../api/api-context.ts';
import { ApiError, isNotFound, outcomeIsUnknown } from '../../api/http-client.ts';
import type { SecretsApi } from '../../api/secrets-api.ts';
import { useUncertainWrite } from '../../ui/use-uncertain-write.ts';
import type { Draft, DraftChange } from '../../editing/draft.ts';
import { fieldsOf, TEXT_FIELDS } from '../../editing/fields.ts';
import { saveStateOf } from '../../editing/save-state.ts';
import { savedSecret, storedSecret, theirSecret, type StoredSecret } from '../../editing/stored-secret.ts';
import type { Failure } from '../form/review-dialog.tsx';
import { isStored, sameValue, valuesToSend, type FormValues, type Value } from '../../values/value.ts';

/** What was sent; the form may hold something else by the time that the answer comes. */
export interface SaveAttempt {
  readonly base: StoredSecret;
  readonly draft: Draft;
  readonly change: DraftChange;
  readonly recoverCounter: boolean;
  readonly changeNote?: string;
}

export interface FailedSave extends Failure {
  readonly kind: 'failed';
  /** The Secret no longer exists. */
  readonly isGone?: boolean;
  /** The Secret with the first of two requests, where the second one failed. */
  readonly savedPart?: StoredSecret;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly secret: StoredSecret }
  | { readonly kind: 'conflict'; readonly theirs: StoredSecret }
  | FailedSave;

/** Saves an edit. Where the answer leaves the outcome open, the Secret as it is now shows it. */
export function useSave(onOutcome: (outcome: SaveOutcome, attempt: SaveAttempt) => void) {
  const api = useApi();
  const send = async (attempt: SaveAttempt): Promise<SaveOutcome> => {
    const [first, second] = requestsOf(api, attempt);
    const part = await first(attempt.base);
    if (second === undefined) return { kind: 'saved', secret: part };
    try {
      return { kind: 'saved', secret: await second(part) };
    } catch (error) {
      return { kind: 'failed', error, savedPart: part };
    }
  };
  const look = async (attempt: SaveAttempt, error: unknown): Promise<SaveOutcome> => {
    const failed = { kind: 'failed', error } as const;
    // 404 may be about a key that was to be read for the save.
    const isOpen = !(error instanceof ApiError) || [404, 409].includes(error.status);
    if (!isOpen && !outcomeIsUnknown(error)) return failed;
    return api.describe(attempt.base).then(
      (now) => outcomeOf(api, attempt, storedSecret(api, now), error).catch(() => failed),
      (thrown: unknown) =>
        isNotFound(thrown) ? { ...failed, error: thrown, isGone: true, confirmedNotSaved: true } : failed,
    );
  };
  return useUncertainWrite(send, look, onOutcome);
}

/** Resolves with the Secret as it is then. */
type SaveRequest = (secret: StoredSecret) => Promise<StoredSecret>;

/**
 * One request, or two where values and access rules change: a patch of values has no rules. Whoever ends their own access
 * by it does so last; a counter is recovered first, by an administrator, who keeps access.
 */
function requestsOf(
  api: SecretsApi,
  { change, recoverCounter, changeNote }: SaveAttempt,
): readonly [SaveRequest, SaveRequest?] {
  const { values, ...fields } = change;
  const note = changeNote === undefined ? {} : { changeNote };
  const update: SaveRequest = async (secret) => {
    const saved = await api.update(secret, {
      ...{ ...fields, ...note, resourceVersion: secret.resourceVersion },
      ...(recoverCounter ? { recoverCounter: true as const } : {}),
    });
    return savedSecret(secret, new Map(), storedSecret(api, saved));
  };
  const patch: SaveRequest = async (secret) => {
    const { set = new Map() as FormValues, remove = [] } = values ?? {};
    const { texts, ...binary } = await valuesToSend(readFrom(secret, set));
    const saved = await api.patch(secret, {
      ...{ resourceVersion: secret.resourceVersion, ...fieldsOf(change, TEXT_FIELDS), ...note, ...binary },
      ...(Object.keys(texts).length === 0 ? {} : { set: texts }),
      ...(remove.length === 0 ? {} : { remove }),
    });
    return savedSecret(secret, set, storedSecret(api, saved));
  };
  const hasRules = RULE_LISTS.some((list) => change[list] !== undefined);
  if (values === undefined) return hasRules || recoverCounter ? [update] : [patch];
  if (recoverCounter) return [update, patch];
  return hasRules ? [patch, update] : [patch];
}

/** Stored values are read from this revision: after a recovery, the history has the one before under another number. */
function readFrom({ values }: StoredSecret, sent: FormValues): FormValues {
  const stored = [...values.values()].filter(isStored);
  const current = (value: Value) => stored.find((one) => sameValue(one, value)) ?? value;
  return new Map([...sent].map(([key, value]) => [key, isStored(value) ? current(value) : value]));
}

async function outcomeOf(
  api: SecretsApi,
  { base, change, draft }: SaveAttempt,
  now: StoredSecret,
  error: unknown,
): Promise<SaveOutcome> {
  switch (await saveStateOf(base, change, now)) {
    case 'saved':
      return { kind: 'saved', secret: savedSecret(base, change.values?.set ?? new Map(), now) };
    case 'changed':
      return { kind: 'conflict', theirs: await theirSecret(api, base, now, draft.rows) };
    case 'notSaved': {
      // The revision is still the one that was loaded, so a 409 is about the history, unless the Secret is being deleted.
      const isPending = now.deletionTimestamp !== undefined;
      const isCollision = !isPending && error instanceof ApiError && error.status === 409;
      return { kind: 'failed', error, confirmedNotSaved: true, isCollision };
    }
  }
}
