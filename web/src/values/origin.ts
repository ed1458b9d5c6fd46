import { isBootstrapToken } from '../../../src/contract/secret-types.ts';
import type { SecretSummary } from '../api/secrets-api.ts';
import { WRITER_WORDS } from '../words/writers.ts';

/** What someone should read before they change a Secret. */
export interface Origin {
  readonly title: string;
  readonly advice: string;
  /** A change is likely to be lost. */
  readonly isOverwritten: boolean;
}

/** Who writes a Secret, as far as the service recognizes it; undefined if that is this service alone. */
export function originOf(
  secret: Pick<SecretSummary, 'type' | 'controlledBy' | 'managedByService'>,
): Origin | undefined {
  const { type, controlledBy, managedByService } = secret;
  if (type === 'helm.sh/release.v1') return { ...WRITER_WORDS.helmRecord, isOverwritten: true };
  if (controlledBy !== undefined) {
    const { kind, name } = controlledBy;
    const object = name === undefined ? kind : `${kind} ${name}`;
    return {
      title: WRITER_WORDS.title(object),
      advice: WRITER_WORDS.advice(kind, object),
      isOverwritten: true,
    };
  }
  if (isBootstrapToken(type)) return { ...WRITER_WORDS.bootstrapToken, isOverwritten: false };
  return managedByService ? undefined : { ...WRITER_WORDS.unmanaged, isOverwritten: false };
}
