import type { SecretDetail, SplitValues, Values } from '../../api/secrets-api.ts';
import { compareStates } from './states.ts';

/** What the live Secret shows of a restore that was refused, or whose answer was lost. */
export type RestoreState = 'restored' | 'notRestored' | 'changed';

/**
 * @param reviewed the live Secret as it was reviewed
 * @param keys those that were restored; left out: all
 */
export function restoreStateOf(
  reviewed: SecretDetail,
  { archived, keys }: { readonly archived: SplitValues; readonly keys?: readonly string[] },
  now: SecretDetail,
): RestoreState {
  if (now.resourceVersion === reviewed.resourceVersion) return 'notRestored';
  const isSameSecret = now.creationTimestamp === reviewed.creationTimestamp;
  const wanted = keys === undefined ? archived : withKeysOf(reviewed, archived, keys);
  const hasSameValues = compareStates(wanted, now).every(({ kind }) => kind === 'same');
  return isSameSecret && hasSameValues ? 'restored' : 'changed';
}

/** A state with some keys as another one has them, or without them where it has none. */
function withKeysOf(live: SplitValues, archived: SplitValues, keys: readonly string[]): SplitValues {
  const merge = (to: Values, from: Values): Values => {
    const kept = [...to].filter(([key]) => !keys.includes(key));
    return new Map([...kept, ...[...from].filter(([key]) => keys.includes(key))]);
  };
  return { text: merge(live.text, archived.text), binary: merge(live.binary, archived.binary) };
}
