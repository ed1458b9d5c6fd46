import type { Actor } from '../access/actor.ts';
import { emailKey } from '../contract/email.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import type { MetadataEdit } from './input.ts';

export interface Modification {
  readonly actor: Actor;
  readonly now: Date;
  /** The version counter after the write. */
  readonly version: number;
}

/**
 * The annotations after a write: those that the edit names, and what the service manages itself. Everything else,
 * foreign annotations and what the edit leaves out, stays unchanged.
 */
export function managedAnnotations(
  stored: ReadonlyMap<string, string>,
  edit: MetadataEdit,
  { actor, now, version }: Modification,
  codec: Pick<AnnotationCodec, 'edited'>,
): ReadonlyMap<string, string> {
  return codec.edited(stored, {
    ...edit,
    version,
    lastModifiedBy: emailKey(actor.user.email),
    lastModifiedAt: now.toISOString(),
  });
}
