import { ApiError, isForbidden, isNotFound, orAbsent, outcomeIsUnknown } from '../../api/http-client.ts';
import type { AccessRules } from '../../../../src/contract/access-rules.ts';
import { sameList } from '../../editing/changes.ts';
import { changedLists } from '../../editing/rules.ts';
import type { DeletedRef, DeletedSecret, SecretsApi, SecretSummary } from '../../api/secrets-api.ts';

/** What a restored Secret is recognized by. */
export type DeletedFacts = Pick<DeletedSecret, 'name' | 'type' | 'keys' | 'description'> & AccessRules;

/** A restore of a deleted Secret: which one, as what. */
export interface Undelete {
  readonly ref: DeletedRef;
  readonly deleted: DeletedFacts;
  readonly name: string;
}

/**
 * Why it is not restored. `taken`: another Secret has the name. `notRestored`: the service does not know, and no Secret has the
 * name. `unknown`: that could not be read either, or the service may still be at work.
 */
export type FailedUndeleteState = 'taken' | 'gone' | 'notRestored' | 'unknown' | 'refused';

export const UNDELETE_ADVICE: Readonly<Record<FailedUndeleteState, string>> = {
  taken: 'Restore it under another name.',
  gone: 'It was deleted permanently, or is no longer kept.',
  notRestored: 'Nothing was restored. Try again.',
  unknown: 'Look at the list before you try again.',
  refused: 'Nothing was restored.',
};

export const undeleteTitle = (what: string, state: FailedUndeleteState): string =>
  state === 'unknown' ? `${what} may or may not have been restored` : `Couldn't restore ${what}`;

export interface FailedUndelete {
  readonly kind: 'failed';
  readonly error: unknown;
  readonly state: FailedUndeleteState;
  readonly undelete: Undelete;
}

export type UndeleteOutcome = { readonly kind: 'restored'; readonly name: string } | FailedUndelete;

type Api = Pick<SecretsApi, 'restoreDeleted' | 'describe'>;

/**
 * Restores a deleted Secret, and looks at the Secret of its name where the answer leaves open what became of it.
 * @param mayBeRestored an earlier attempt may have restored it, so that its name is taken by itself. It never rejects.
 */
export async function undelete(
  api: Api,
  requested: Undelete,
  mayBeRestored = false,
): Promise<UndeleteOutcome> {
  const { ref, name } = requested;
  try {
    await api.restoreDeleted(ref, name);
    return { kind: 'restored', name };
  } catch (error) {
    const state = await stateAfter(api, requested, error, mayBeRestored);
    return state === 'restored'
      ? { kind: 'restored', name }
      : { kind: 'failed', error, state, undelete: requested };
  }
}

async function stateAfter(
  api: Api,
  { ref, deleted, name }: Undelete,
  error: unknown,
  mayBeRestored: boolean,
): Promise<FailedUndeleteState | 'restored'> {
  if (isNotFound(error)) return 'gone';
  const isTaken = error instanceof ApiError && error.status === 409;
  const isLost = outcomeIsUnknown(error);
  if (!isTaken && !isLost) return 'refused';
  if (isTaken && !mayBeRestored) return 'taken';
  try {
    const found = await api.describe({ namespace: ref.namespace, name }).catch(orAbsent);
    if (found === undefined && outcomeIsUnknown(error, true)) return 'unknown';
    if (found === undefined) return isTaken ? 'taken' : 'notRestored';
    return isRestored(deleted, found) ? 'restored' : 'taken';
  } catch (thrown) {
    // What one may not read is not what one restored.
    return isTaken && isForbidden(thrown) ? 'taken' : 'unknown';
  }
}

/** A restore begins at version 1; nothing else of a new Secret is chosen by it. */
export function isRestored(deleted: DeletedFacts, found: SecretSummary): boolean {
  return (
    found.version === 1 &&
    found.type === deleted.type &&
    found.description === deleted.description &&
    sameList([...found.keys].sort(), [...deleted.keys].sort()) &&
    changedLists(found, deleted).length === 0
  );
}

/**
 * Why it is not removed. `kept`: it is still listed, perhaps with fewer versions. `unknown`: that could not be read, or the
 * service may still be at work.
 */
type FailedRemovalState = 'kept' | 'unknown' | 'refused';

export interface FailedRemoval {
  readonly error: unknown;
  readonly state: FailedRemovalState;
}

/** What became of a permanent removal that was refused, or whose answer was lost. It never rejects. */
export async function lookAtRemoval(
  api: Pick<SecretsApi, 'deleted'>,
  { namespace, uid }: DeletedRef,
  error: unknown,
): Promise<FailedRemovalState | 'removed'> {
  if (!(error instanceof ApiError)) return 'unknown';
  if (error.status === 404) return 'removed';
  if (error.status !== 409 && !outcomeIsUnknown(error)) return 'refused';
  const deleted = await api.deleted(namespace).catch(() => undefined);
  if (deleted === undefined) return 'unknown';
  if (deleted.every((one) => one.uid !== uid)) return error.status === 409 ? 'refused' : 'removed';
  return outcomeIsUnknown(error, true) ? 'unknown' : 'kept';
}
