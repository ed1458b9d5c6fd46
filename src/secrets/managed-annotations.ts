import { formatRuleList } from '../access/access-rules.ts';
import type { Actor } from '../access/actor.ts';
import { emailKey } from '../contract/email.ts';
import { MANAGED_BY_SERVICE, type AnnotationNames } from '../kube/annotation-names.ts';
import type { MetadataEdit } from './input.ts';

export interface Stamp {
  readonly actor: Actor;
  readonly now: Date;
  /** The version counter after the write. */
  readonly version: number;
}

/**
 * The annotations after a write: those that the edit names, and the service's stamps. Everything else,
 * foreign annotations and what the edit leaves out, stays exactly as stored.
 */
export function stampedAnnotations(
  stored: ReadonlyMap<string, string>,
  edit: MetadataEdit,
  stamp: Stamp,
  names: AnnotationNames,
): ReadonlyMap<string, string> {
  const annotations = new Map(stored);
  if (edit.description !== undefined) annotations.set(names.description, edit.description);
  if (edit.allowedGroups !== undefined)
    annotations.set(names.allowedGroups, formatRuleList(edit.allowedGroups));
  if (edit.allowedUsers !== undefined) annotations.set(names.allowedUsers, formatRuleList(edit.allowedUsers));
  annotations.set(names.managedBy, MANAGED_BY_SERVICE);
  annotations.set(names.version, String(stamp.version));
  annotations.set(names.lastModifiedBy, emailKey(stamp.actor.user.email));
  annotations.set(names.lastModifiedAt, stamp.now.toISOString());
  return annotations;
}
