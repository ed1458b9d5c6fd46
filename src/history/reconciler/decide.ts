import { HISTORY_KIND, type AnnotationNames } from '../annotation-names.ts';
import { readMarks, type Inconsistency, type SnapshotMarks } from '../snapshot.ts';
import type { SecretMetadata } from './ports.ts';

/** The live Secret that a UID belongs to: there, on its way out, or gone for good. */
export type LiveState = 'present' | 'terminating' | 'gone';

/** What is wrong with an object beyond its own marks. */
export type Violation = Inconsistency | 'belongsToAnotherName';

export type Step =
  | {
      readonly kind: 'relabel';
      readonly object: SecretMetadata;
      readonly labels: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'prune'; readonly object: SecretMetadata }
  /** The live Secret is gone: the time to live of its history begins. */
  | { readonly kind: 'stampOrphan'; readonly object: SecretMetadata }
  /** The live Secret is there after all, as after a restored backup of the cluster. */
  | { readonly kind: 'unstampOrphan'; readonly object: SecretMetadata }
  | { readonly kind: 'removeOrphan'; readonly object: SecretMetadata };

export interface Rules {
  readonly names: AnnotationNames;
  /** Snapshots kept per live Secret. */
  readonly limit: number;
  /** How long orphans are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** When time alone will make the next step due. */
  readonly nextInMs: number | undefined;
}

/** An object of consistent annotations, with the labels that it lacks. */
export interface ReadHistory {
  readonly object: SecretMetadata;
  readonly marks: SnapshotMarks;
  readonly lostLabels: ReadonlyMap<string, string>;
}

/** Reads an object's marks; labels that are absent (not: different) do not count, since they can be put back. */
export function readHistory(object: SecretMetadata, names: AnnotationNames): ReadHistory | Inconsistency {
  const uid = object.annotations.get(names.historyUid) ?? '';
  const wanted = [
    [names.kind, HISTORY_KIND],
    [names.historyUidLabel, uid],
  ] as const;
  const lostLabels = new Map(wanted.filter(([key]) => !object.labels.has(key)));
  const marks = readMarks({ ...object, labels: new Map([...object.labels, ...lostLabels]) }, names);
  return typeof marks === 'string' ? marks : { object, marks, lostLabels };
}

/**
 * Decides what is to be done with the snapshots of one live Secret. Pure: what it does not say is not done.
 * @param nowMs the wall clock
 */
export function decide(history: readonly ReadHistory[], live: LiveState, rules: Rules, nowMs: number): Plan {
  const relabel = history
    .filter(({ lostLabels }) => lostLabels.size > 0)
    .map(({ object, lostLabels }): Step => ({ kind: 'relabel', object, labels: lostLabels }));
  // A snapshot without a label is put right first, and is part of the next plan; one on its way out is left to go.
  const bound = history.filter(
    ({ object, lostLabels }) => lostLabels.size === 0 && object.deletionTimestamp === undefined,
  );
  const { steps, nextInMs } = planFor(bound, live, rules, nowMs);
  return { steps: [...relabel, ...steps], nextInMs };
}

function planFor(bound: readonly ReadHistory[], live: LiveState, rules: Rules, nowMs: number): Plan {
  switch (live) {
    case 'present':
      return { steps: [...unstamp(bound, rules), ...prune(bound, rules)], nextInMs: undefined };
    case 'terminating':
      // Until it is gone it could still be wanted: a finalizer may take as long as it likes.
      return { steps: [], nextInMs: undefined };
    case 'gone':
      return expire(bound, rules, nowMs);
  }
}

function unstamp(bound: readonly ReadHistory[], { names }: Rules): readonly Step[] {
  return bound
    .filter(({ object }) => object.annotations.has(names.historyOrphanedAt))
    .map(({ object }) => ({ kind: 'unstampOrphan', object }));
}

/** The newest stay, oldest go first. */
function prune(bound: readonly ReadHistory[], { limit }: Rules): readonly Step[] {
  return [...bound]
    .sort((one, other) => other.marks.version - one.marks.version)
    .slice(limit)
    .reverse()
    .map(({ object }) => ({ kind: 'prune', object }));
}

function expire(bound: readonly ReadHistory[], { names, orphanTtlMs }: Rules, nowMs: number): Plan {
  if (orphanTtlMs === undefined) return { steps: [], nextInMs: undefined };
  const steps: Step[] = [];
  let nextInMs: number | undefined;
  for (const { object } of bound) {
    const since = Date.parse(object.annotations.get(names.historyOrphanedAt) ?? '');
    const leftMs = Number.isNaN(since) ? orphanTtlMs : since + orphanTtlMs - nowMs;
    if (Number.isNaN(since)) steps.push({ kind: 'stampOrphan', object });
    else if (leftMs <= 0) steps.push({ kind: 'removeOrphan', object });
    if (leftMs > 0) nextInMs = Math.min(leftMs, nextInMs ?? Infinity);
  }
  return { steps, nextInMs };
}
