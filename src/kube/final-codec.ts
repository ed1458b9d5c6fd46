import { RULE_LISTS } from '../contract/access-rules.ts';
import { FINAL, HISTORY_KIND, type AnnotationNames } from './annotation-names.ts';
import type { DeletionRecord, DeletionRequest } from './managed-metadata.ts';
import type { MetadataChange, SecretMetadata } from './secret.ts';

/** Reads and writes what only the final snapshot of a deleted Secret has. */
export interface FinalCodec {
  /** What a snapshot of `live` gains before `live` is deleted: the deletion, and the live description and access rules. */
  final(live: Pick<SecretMetadata, 'annotations'>, deletion: DeletionRequest): Required<MetadataChange>;
  /** … and what it gains once the cluster has accepted the deletion. */
  readonly deletionAccepted: ReadonlyMap<string, string>;
  /** The live revision whose description and access rules it took over while the deletion was pending. */
  rulesOf(resourceVersion: string): ReadonlyMap<string, string>;
  /** Removes all of this again: the live Secret was not deleted. */
  readonly notFinal: Required<MetadataChange>;
  /** Label selectors: of the final snapshots, … */
  readonly finalSelector: string;
  /** … and of those of one UID. */
  finalSelectorOf(uid: string): string;
}

const ACCEPTED = 'true';

export function createFinalCodec(names: AnnotationNames): FinalCodec {
  const { kind, historyUidLabel, historyFinal, historyDeletedBy, historyDeletedAt } = names;
  const copied = [names.description, ...RULE_LISTS.map((list) => names[list])];
  const finalSelector = `${kind}=${HISTORY_KIND},${historyFinal}=${FINAL}`;
  return {
    final: ({ annotations }, { by, at, keys }) => ({
      labels: new Map([[historyFinal, FINAL]]),
      annotations: new Map([
        [historyFinal, FINAL],
        [historyDeletedBy, by],
        [historyDeletedAt, at],
        [names.historyKeys, keys],
        [names.historyDeletionAccepted, undefined],
        [names.historyRulesOf, undefined],
        ...copied.map((name) => [name, annotations.get(name)] as const),
      ]),
    }),
    deletionAccepted: new Map([[names.historyDeletionAccepted, ACCEPTED]]),
    rulesOf: (resourceVersion) => new Map([[names.historyRulesOf, resourceVersion]]),
    notFinal: {
      labels: new Map([[historyFinal, undefined]]),
      annotations: new Map(
        [
          ...[historyFinal, historyDeletedBy, historyDeletedAt, names.historyKeys],
          ...[names.historyDeletionAccepted, names.historyRulesOf, ...copied],
        ].map((name) => [name, undefined]),
      ),
    },
    finalSelector,
    finalSelectorOf: (uid) => `${finalSelector},${historyUidLabel}=${uid}`,
  };
}

/** A source that has been replaced was not deleted in this state. */
export function parseDeletion(
  annotations: ReadonlyMap<string, string>,
  names: AnnotationNames,
): DeletionRecord | undefined {
  const by = annotations.get(names.historyDeletedBy);
  const at = annotations.get(names.historyDeletedAt);
  const isFinal = annotations.get(names.historyFinal) === FINAL && !annotations.has(names.historyReplacedBy);
  if (!isFinal || by === undefined || at === undefined) return undefined;
  const accepted = annotations.get(names.historyDeletionAccepted) === ACCEPTED;
  return { by, at, keys: annotations.get(names.historyKeys), accepted };
}
