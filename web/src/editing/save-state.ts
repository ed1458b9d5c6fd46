import type { DescribedSecret, SessionUser } from '../api/secrets-api.ts';
import { emailKey } from '../../../src/contract/email.ts';
import { storedType } from '../../../src/contract/secret-types.ts';
import { readValues, sameValue, type FormValues } from '../values/value.ts';
import { changedFields } from './fields.ts';
import { filledRows, valueOf, valuesOf, type DraftChange, type NewDraft, type Row } from './draft.ts';
import { sameBytes } from '../../../src/contract/der.ts';
import type { StoredSecret } from './stored-secret.ts';

/** What the Secret as it is now shows of a save that was refused, or whose answer was lost. */
export type SaveState = 'saved' | 'notSaved' | 'changed';

/** @throws what the read of a value throws */
export async function saveStateOf(
  base: DescribedSecret,
  { values, ...fields }: DraftChange,
  now: StoredSecret,
): Promise<SaveState> {
  if (now.resourceVersion === base.resourceVersion) return 'notSaved';
  const { set = new Map() as FormValues, remove = [] } = values ?? {};
  const isSaved = changedFields(now, { ...now, ...fields }).length === 0;
  const isNext = now.version === base.version + 1 && now.creationTimestamp === base.creationTimestamp;
  if (!isNext || remove.some((key) => now.values.has(key)) || !isSaved) return 'changed';
  return (await hasValues(now, set)) ? 'saved' : 'changed';
}

/** Whether a Secret has these values: they are read and compared. */
async function hasValues(now: StoredSecret, values: FormValues): Promise<boolean> {
  const stored = new Map([...now.values].filter(([key]) => values.has(key)));
  if (stored.size < values.size) return false;
  const [found, wanted] = await Promise.all([readValues(stored), readValues(values)]);
  return [...wanted].every(([key, bytes]) => sameBytes(bytes, found.get(key) ?? new Uint8Array()));
}

/** The rows whose values were typed here, and are in none of these states of the Secret. */
export function typedRows(rows: readonly Row[], states: readonly StoredSecret[]): readonly Row[] {
  return rows.filter((row) => states.every(({ values }) => !sameValue(values.get(row.key), valueOf(row))));
}

/** Who made `now` out of `base`, as far as its annotations show: a writer outside the service leaves none. */
export function authorOf(
  base: DescribedSecret,
  now: DescribedSecret,
  me: SessionUser | undefined,
): 'outside' | 'me' | 'other' {
  if (now.version === base.version) return 'outside';
  return me !== undefined && now.lastModifiedBy === emailKey(me.email) ? 'me' : 'other';
}

/** Whether a Secret is the one that this draft would create. */
export async function isAsDrafted(now: StoredSecret, draft: NewDraft): Promise<boolean> {
  const isSame = now.type === storedType(draft.type) && changedFields(now, draft).length === 0;
  if (now.version !== 1 || !isSame) return false;
  const values = valuesOf(filledRows(draft.rows));
  return now.values.size === values.size && hasValues(now, values);
}
