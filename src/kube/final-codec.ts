import { RULE_LISTS } from '../contract/access-rules.ts';
import { FINAL, HISTORY_KIND, type AnnotationNames } from './annotation-names.ts';
import type { DeletionRecord, DeletionRequest } from './managed-metadata.ts';
import type { MetadataChange, SecretMetadata } from './secret.ts';

const ACCEPTED = 'true';

/** Reads and writes what only the final snapshot of a deleted Secret has. */
export function createFinalCodec(names: AnnotationNames) {
  const { kind, historyFinal, historyDeletedBy, historyDeletedAt } = names;
  const { description, expiresAt, rotateEvery, valuesChangedAt } = names;
  const copied = [
    ...[description, expiresAt, rotateEvery, valuesChangedAt],
    ...RULE_LISTS.map((list) => names[list]),
  ];
  const notFinal: Required<MetadataChange> = {
    labels: new Map([[historyFinal, undefined]]),
    annotations: new Map(
      [
        ...[historyFinal, historyDeletedBy, historyDeletedAt, names.historyKeys],
        ...[names.historyDeletionAccepted, names.historyRulesOf, ...copied],
      ].map((name) => [name, undefined]),
    ),
  };
  return {
    /** What a snapshot of `live` gains before `live` is deleted: the deletion, and the live description, access rules and expiry. */
    final: (
      { annotations }: Pick<SecretMetadata, 'annotations'>,
      { by, at, keys }: DeletionRequest,
    ): Required<MetadataChange> => ({
      labels: new Map([[historyFinal, FINAL]]),
      annotations: new Map<string, string | undefined>([
        [historyFinal, FINAL],
        [historyDeletedBy, by],
        [historyDeletedAt, at],
        [names.historyKeys, keys],
        [names.historyDeletionAccepted, undefined],
        [names.historyRulesOf, undefined],
        ...copied.map((name) => [name, annotations.get(name)] as const),
      ]),
    }),
    /** … and what it gains once the cluster has accepted the deletion. */
    deletionAccepted: new Map([[names.historyDeletionAccepted, ACCEPTED]]) as ReadonlyMap<string, string>,
    /** The live revision whose description and access rules it took over while the deletion was pending. */
    rulesOf: (resourceVersion: string): ReadonlyMap<string, string> =>
      new Map([[names.historyRulesOf, resourceVersion]]),
    /** Removes all of this again: the live Secret was not deleted. */
    notFinal,
    /** Label selector of the final snapshots. */
    finalSelector: `${kind}=${HISTORY_KIND},${historyFinal}=${FINAL}`,
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
