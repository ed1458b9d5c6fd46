import { RULE_LISTS } from '../contract/access-rules.ts';
import { formatTime } from '../contract/times.ts';
import { annotationNames, FINAL, HISTORY_KIND } from './annotation-names.ts';
import { parseVersion, present } from './annotation-values.ts';
import { valuesChangedAt, type Dated } from './expiry.ts';
import type { DeletionRequest, SnapshotAnnotations, SnapshotMetadata } from './managed-metadata.ts';
import type { MetadataChange, SecretDraft, SecretMetadata } from './secret.ts';

const ACCEPTED = 'true';

/** The labels and annotations of any object. */
export type Labelled = Pick<SecretMetadata, 'labels' | 'annotations'>;

/** A live Secret without its values. */
type Described = Dated & Pick<SecretMetadata, 'annotations' | 'resourceVersion'>;

type Texts = ReadonlyMap<string, string>;

/** Reads and writes the annotations and labels that only snapshots have, under the configured prefix. */
export class SnapshotCodec {
  protected readonly names: ReturnType<typeof annotationNames>;
  /** What a final snapshot takes over from the live Secret. */
  readonly #copied: readonly string[];
  /** Label selector of everything except snapshots. */
  readonly liveSelector: string;
  /** Label selector of the final snapshots. */
  readonly finalSelector: string;
  /** The annotation that a snapshot of a live revision gets when a deletion of this revision begins. */
  readonly deletionBegun: Texts;
  /** What a final snapshot gains once the cluster has accepted the deletion. */
  readonly deletionAccepted: Texts;
  /** Removes all that {@link final} writes and what follows it: the live Secret was not deleted. */
  readonly notFinal: Required<MetadataChange>;

  constructor(prefix: string) {
    const names = annotationNames(prefix);
    const { kind, historyFinal, historyDeletedBy, historyDeletedAt, historyDeletionAccepted } = names;
    this.names = names;
    this.#copied = [
      ...[names.description, names.expiresAt, names.rotateEvery, names.valuesChangedAt],
      ...RULE_LISTS.map((list) => names[list]),
    ];
    this.liveSelector = `${kind}!=${HISTORY_KIND}`;
    this.finalSelector = `${kind}=${HISTORY_KIND},${historyFinal}=${FINAL}`;
    this.deletionBegun = new Map([[names.historyDeletionBegun, 'true']]);
    this.deletionAccepted = new Map([[historyDeletionAccepted, ACCEPTED]]);
    const own = [historyFinal, historyDeletedBy, historyDeletedAt, names.historyKeys];
    const written = [...own, historyDeletionAccepted, names.historyRulesOf, ...this.#copied];
    this.notFinal = {
      labels: new Map([[historyFinal, undefined]]),
      annotations: new Map(written.map((name) => [name, undefined])),
    };
  }

  /** Label selector of the snapshots of a live UID. */
  snapshotSelector(uid: string): string {
    return `${this.names.kind}=${HISTORY_KIND},${this.uidSelector(uid)}`;
  }

  /** Label selector of the snapshots of a live UID, including those without the other label. */
  uidSelector(uid: string): string {
    return `${this.names.historyUidLabel}=${uid}`;
  }

  /** The labels and annotations of a snapshot. */
  describe(snapshot: SnapshotMetadata): Pick<SecretDraft, 'labels' | 'annotations'> {
    const { names } = this;
    const annotations = present([
      [names.kind, HISTORY_KIND],
      [names.historyOf, snapshot.of],
      [names.historyUid, snapshot.uid],
      [names.historyVersion, String(snapshot.version)],
      [names.historyResourceVersion, snapshot.sourceResourceVersion],
      [names.historyType, snapshot.type],
      [names.changeNote, snapshot.changeNote],
      [names.lastModifiedBy, snapshot.lastModifiedBy],
      [names.lastModifiedAt, snapshot.lastModifiedAt],
    ]);
    const labels = new Map([
      [names.kind, HISTORY_KIND],
      [names.historyUidLabel, snapshot.uid],
    ]);
    return { labels, annotations };
  }

  /** The annotation that a snapshot gets once its source has been replaced. */
  replacedBy(resourceVersion: string): Texts {
    return new Map([[this.names.historyReplacedBy, resourceVersion]]);
  }

  /** The annotation that records on a snapshot what its list of versions needs of its values. */
  historyChanges(text: string): Texts {
    return new Map([[this.names.historyChanges, text]]);
  }

  /** The annotation that a snapshot gets when its live Secret is gone; undefined removes it. */
  orphanedAt(time: Date | undefined): ReadonlyMap<string, string | undefined> {
    return new Map([[this.names.historyOrphanedAt, time?.toISOString()]]);
  }

  /** What a final snapshot takes over from `live`: its description, access rules and expiry, and which revision has them. */
  takenOver(live: Described): ReadonlyMap<string, string | undefined> {
    const { names } = this;
    const { annotations, resourceVersion } = live;
    // The snapshot was created after the values changed, so its own time does not stand for theirs.
    const changedAt = annotations.get(names.valuesChangedAt) ?? formatTime(valuesChangedAt(live));
    return new Map<string, string | undefined>([
      ...this.#copied.map((name) => [name, annotations.get(name)] as const),
      ...(annotations.has(names.rotateEvery) ? ([[names.valuesChangedAt, changedAt]] as const) : []),
      [names.historyRulesOf, resourceVersion],
    ]);
  }

  /** What a snapshot of `live` gains before `live` is deleted: the deletion, and what it takes over. */
  final(live: Described, deletion: DeletionRequest): Required<MetadataChange> {
    const { labels, annotations } = this.deletionRecord(deletion);
    return { labels, annotations: new Map([...annotations, ...this.takenOver(live)]) };
  }

  /** The record of a deletion that the cluster has not accepted yet. */
  deletionRecord({ by, at, keys }: DeletionRequest): Required<MetadataChange> {
    const { names } = this;
    return {
      labels: new Map([[names.historyFinal, FINAL]]),
      annotations: new Map<string, string | undefined>([
        [names.historyFinal, FINAL],
        [names.historyDeletedBy, by],
        [names.historyDeletedAt, at],
        [names.historyKeys, keys],
        [names.historyDeletionAccepted, undefined],
      ]),
    };
  }

  /** Everything that claims to be history has at least one of these. */
  protected parseSnapshot({ labels, annotations }: Labelled): SnapshotAnnotations | undefined {
    const { names } = this;
    const { kind, historyUid, historyUidLabel, historyOf, historyFinal } = names;
    const isPresent = [kind, historyUid, historyOf].some((name) => annotations.has(name));
    if (!isPresent && !labels.has(kind) && !labels.has(historyUidLabel)) return undefined;
    const uid = annotations.get(historyUid);
    const wanted: readonly (readonly [string, string])[] = [
      [kind, HISTORY_KIND],
      [historyUidLabel, uid ?? ''],
      ...(annotations.get(historyFinal) === FINAL ? ([[historyFinal, FINAL]] as const) : []),
    ];
    return {
      kind: annotations.get(kind),
      kindLabel: labels.get(kind),
      of: annotations.get(historyOf),
      uid,
      uidLabel: labels.get(historyUidLabel),
      version: parseVersion(annotations.get(names.historyVersion)),
      sourceResourceVersion: annotations.get(names.historyResourceVersion),
      type: annotations.get(names.historyType),
      replacedBy: annotations.get(names.historyReplacedBy),
      orphanedAt: annotations.get(names.historyOrphanedAt),
      changes: annotations.get(names.historyChanges),
      rulesOf: annotations.get(names.historyRulesOf),
      deletion: this.#parseDeletion(annotations),
      missingLabels: new Map(wanted.filter(([name]) => !labels.has(name))),
    };
  }

  /** A source that has been replaced was not deleted in this state. */
  #parseDeletion(annotations: Texts): SnapshotAnnotations['deletion'] {
    const { names } = this;
    const by = annotations.get(names.historyDeletedBy);
    const at = annotations.get(names.historyDeletedAt);
    const isFinal =
      annotations.get(names.historyFinal) === FINAL && !annotations.has(names.historyReplacedBy);
    if (!isFinal || by === undefined || at === undefined) return undefined;
    const accepted = annotations.get(names.historyDeletionAccepted) === ACCEPTED;
    return { by, at, keys: annotations.get(names.historyKeys), accepted };
  }
}
