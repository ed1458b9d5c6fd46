import { RULE_LISTS, rulesOf, type RuleEdit, type RuleList } from '../contract/access-rules.ts';
import { MANAGED_BY_SERVICE } from './annotation-names.ts';
import { formatRuleList, parseRuleList, readCounter } from './annotation-values.ts';
import { parseExpiry } from './expiry.ts';
import type { ManagedMetadata } from './managed-metadata.ts';
import { SnapshotCodec, type Labelled } from './snapshot-codec.ts';

/** What someone declares about the expiry of a Secret. Undefined keeps the stored value, the empty text removes it. */
export interface ExpiryEdit {
  readonly expiresAt?: string | undefined;
  readonly rotateEvery?: string | undefined;
}

/** What a write sets on a live Secret. Undefined keeps the stored value. */
export interface ManagedEdit extends RuleEdit, ExpiryEdit {
  readonly description: string | undefined;
  readonly version: number;
  /** Undefined or empty removes that of the former version. */
  readonly changeNote?: string | undefined;
  readonly lastModifiedBy: string;
  readonly lastModifiedAt: string;
  /** When the values last changed. Stored only once it matters: with a period of rotation. */
  readonly valuesChangedAt?: string | undefined;
}

/** Twice the characters that a write may have: code units. */
const MAX_NOTE_LENGTH = 512;

/** Reads and writes the annotations and labels of the service under the configured prefix. */
export class AnnotationCodec extends SnapshotCodec {
  parse(object: Labelled): ManagedMetadata {
    const { annotations } = object;
    const { names } = this;
    const note = annotations.get(names.changeNote);
    const lists = RULE_LISTS.map((list) => [list, parseRuleList(annotations.get(names[list]))]);
    return {
      isManaged: annotations.get(names.managedBy) === MANAGED_BY_SERVICE,
      version: readCounter(annotations.get(names.version)),
      description: annotations.get(names.description) ?? '',
      ...rulesOf(Object.fromEntries(lists) as Record<RuleList, readonly string[]>),
      // One from elsewhere that is too long would leave no space on a snapshot.
      changeNote: note !== undefined && note.length <= MAX_NOTE_LENGTH ? note : undefined,
      lastModifiedBy: annotations.get(names.lastModifiedBy),
      lastModifiedAt: annotations.get(names.lastModifiedAt),
      expiry: parseExpiry(annotations, names),
      snapshot: this.parseSnapshot(object),
    };
  }

  /** All annotations of a live Secret after a write. Those of other owners stay unchanged. */
  edited(stored: ReadonlyMap<string, string>, edit: ManagedEdit): ReadonlyMap<string, string> {
    const { names } = this;
    const annotations = new Map(stored);
    const { description, changeNote = '' } = edit;
    if (description !== undefined) annotations.set(names.description, description);
    for (const list of RULE_LISTS) {
      const entries = edit[list];
      if (entries !== undefined) annotations.set(names[list], formatRuleList(entries));
    }
    const setOrRemove = (name: string, text: string | undefined): void => {
      if (text === '') annotations.delete(name);
      else if (text !== undefined) annotations.set(name, text);
    };
    setOrRemove(names.changeNote, changeNote);
    setOrRemove(names.expiresAt, edit.expiresAt);
    setOrRemove(names.rotateEvery, edit.rotateEvery);
    const isRotated = [names.rotateEvery, names.valuesChangedAt].some((name) => annotations.has(name));
    if (isRotated) setOrRemove(names.valuesChangedAt, edit.valuesChangedAt);
    annotations.set(names.managedBy, MANAGED_BY_SERVICE);
    annotations.set(names.version, String(edit.version));
    annotations.set(names.lastModifiedBy, edit.lastModifiedBy);
    annotations.set(names.lastModifiedAt, edit.lastModifiedAt);
    return annotations;
  }
}
