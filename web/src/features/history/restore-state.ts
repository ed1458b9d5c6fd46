import type { SecretDetail, VersionDetail } from '../../api/secrets-api.ts';
import { compareStates } from './states.ts';

/** What the live Secret shows of a restore that was refused, or whose answer was lost. */
export type RestoreState = 'restored' | 'notRestored' | 'changed';

/** @param reviewed the live Secret as it was reviewed */
export function restoreStateOf(
  reviewed: SecretDetail,
  archived: VersionDetail,
  now: SecretDetail,
): RestoreState {
  if (now.resourceVersion === reviewed.resourceVersion) return 'notRestored';
  const isSameSecret = now.creationTimestamp === reviewed.creationTimestamp;
  const hasSameValues = compareStates(archived, now).every(({ kind }) => kind === 'same');
  return isSameSecret && hasSameValues ? 'restored' : 'changed';
}
