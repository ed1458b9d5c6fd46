import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
import type { DeletedRef, SecretsApi } from '../../api/secrets-api.ts';

/** Why it is not removed. `kept`: it is still listed, perhaps with fewer versions. `unknown`: that could not be read. */
export type FailedRemovalState = 'kept' | 'unknown' | 'refused';

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
  return deleted.some((one) => one.uid === uid) ? 'kept' : error.status === 409 ? 'refused' : 'removed';
}
