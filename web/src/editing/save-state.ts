import type { SecretDetail, SessionUser } from '../api/secrets-api.ts';
import { emailKey } from '../../../src/contract/email.ts';
import { changedKeys } from './changes.ts';
import { changeOf, type Draft, type Row } from './draft.ts';
import type { NewDraft } from './draft-handover.ts';
import { filledRows } from './readiness.ts';
import { storedType } from '../../../src/contract/secret-types.ts';

/** What the Secret as it is now shows of a save that was refused, or whose answer was lost. */
export type SaveState = 'saved' | 'notSaved' | 'changed';

export function saveStateOf(base: SecretDetail, draft: Draft, now: SecretDetail): SaveState {
  const sameBytes = changedKeys(base.binary, now.binary).length === 0;
  if (sameBytes && changeOf(now, draft) === undefined) return 'saved';
  return now.resourceVersion === base.resourceVersion ? 'notSaved' : 'changed';
}

/** The rows whose values were typed here, and are neither in the Secret as it was loaded nor as it is now. */
export function typedRows(base: SecretDetail, theirs: SecretDetail, rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ key, value }) => base.text.get(key) !== value && theirs.text.get(key) !== value);
}

/** Who made `now` out of `base`, as far as its annotations show: a writer outside the service leaves none. */
export function authorOf(
  base: SecretDetail,
  now: SecretDetail,
  me: SessionUser | undefined,
): 'outside' | 'me' | 'other' {
  if (now.version === base.version) return 'outside';
  return me !== undefined && now.lastModifiedBy === emailKey(me.email) ? 'me' : 'other';
}

/** Whether a Secret is the one that this draft would create. */
export function isAsDrafted(now: SecretDetail, { type, rows, ...fields }: NewDraft): boolean {
  if (now.version !== 1 || now.binary.size > 0 || now.type !== storedType(type)) return false;
  return changeOf(now, { ...fields, rows: filledRows(rows) }) === undefined;
}
