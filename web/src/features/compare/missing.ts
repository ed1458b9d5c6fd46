import type { SecretDetail, SecretRef, SplitValues } from '../../api/secrets-api.ts';
import type { GivenLevel } from '../../../../src/contract/access-rules.ts';
import { isServiceAccountToken } from '../../../../src/contract/secret-types.ts';
import { allows } from '../../editing/rules.ts';
import { bytesOfBase64 } from '../../../../src/contract/text.ts';
import type { FormValues, Value } from '../../values/value.ts';

/** What one Secret has of keys that another lacks, as a request takes it: texts as they are, anything else as its bytes. */
export function missingIn(target: SplitValues, source: SplitValues): FormValues {
  const missing = new Map<string, Value>(source.text);
  for (const [key, base64] of source.binary)
    missing.set(key, { fileName: key, bytes: bytesOfBase64(base64) });
  for (const key of [...target.text.keys(), ...target.binary.keys()]) missing.delete(key);
  return missing;
}

/**
 * Why keys cannot be copied to a Secret, in words; undefined when they can.
 * @param level on it; undefined while it is not known
 */
export function whyNotTo(target: SecretDetail, level: GivenLevel | undefined): string | undefined {
  const { type, immutable, deletionTimestamp } = target;
  if (isServiceAccountToken(type)) return 'The cluster manages this token.';
  if (immutable) return `${nameOf(target)} is immutable.`;
  if (deletionTimestamp !== undefined) return `${nameOf(target)} is being deleted.`;
  if (level === undefined) return 'Your access is not known yet.';
  return allows(level, 'write') ? undefined : `You need write access to ${nameOf(target)}.`;
}

/** Of two Secrets with the same name, the namespace distinguishes them. */
export const nameOf = ({ namespace, name }: SecretRef): string => `${namespace}/${name}`;
