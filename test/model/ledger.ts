import type { StoredSecret } from '../../src/history/ports.ts';
import { readMarks, type SnapshotMarks } from '../../src/history/snapshot.ts';
import { readCounter } from '../../src/history/version-counter.ts';
import type { FakeCluster } from '../fakes/fake-cluster.ts';
import type { FakeSecret } from '../fakes/fake-objects.ts';
import { NAMES } from '../unit/history/reconciler/history-objects.ts';

/** The small model: what was live when, what users were told, and what may therefore be missing. */
export interface Ledger {
  /** Takes note of what the cluster holds now; called after every change. */
  observe(): void;
  /** A user was told that this state was replaced, and archived as this version. */
  acknowledge(replaced: StoredSecret, version: number): void;
  /** Somebody has asked for the history of this UID to be removed, or removed one version of it. */
  excuse(uid: string, version?: number): void;
  limitIs(limit: number): void;
  /** Throws when the cluster holds what it must not, or lacks what it must hold. */
  check(): void;
}

export interface LedgerOptions {
  readonly cluster: FakeCluster;
  readonly now: () => number;
  readonly orphanTtlMs: number | undefined;
  /** Objects that look like history and are not, or have nothing to do with it. */
  readonly untouchable: readonly FakeSecret[];
}

interface Archived {
  readonly version: number;
  /** Of the live Secret. */
  readonly revision: string;
}

interface Promised {
  readonly values: string;
  readonly revision: string;
}

interface State {
  readonly counter: number;
  readonly values: string;
}

export function valuesOf({ data }: StoredSecret): string {
  return JSON.stringify([...data].map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
}

/** Reads a snapshot whether or not it has lost its labels. */
export function marksOf(object: FakeSecret): SnapshotMarks | undefined {
  const uid = object.annotations.get(NAMES.historyUid) ?? '';
  const labels = new Map([[NAMES.kind, 'history'], [NAMES.historyUidLabel, uid], ...object.labels]);
  const marks = readMarks({ ...object, labels }, NAMES);
  return typeof marks === 'string' ? undefined : marks;
}

export function createLedger({ cluster, now, orphanTtlMs, untouchable }: LedgerOptions): Ledger {
  /** Live states by uid and revision. */
  const states = new Map<string, State>();
  /** What users rely on, by uid and version. */
  const promised = new Map<string, Map<number, Promised>>();
  /** By uid, what was ever archived, by the name of the snapshot and the revision that it holds. */
  const archived = new Map<string, Map<string, Archived>>();
  const excused = new Set<string>();
  const goneSince = new Map<string, number>();
  let lowestLimit = Infinity;

  const archivedOf = (uid: string): Map<string, Archived> => {
    const known = archived.get(uid) ?? new Map<string, Archived>();
    archived.set(uid, known);
    return known;
  };
  const observe = (): void => {
    const liveUids = new Set<string>();
    for (const object of cluster.all()) {
      const marks = marksOf(object);
      if (marks !== undefined) {
        const { uid, version, sourceResourceVersion: revision } = marks;
        archivedOf(uid).set(`${version}/${revision}`, { version, revision });
      } else {
        liveUids.add(object.uid);
        const counter = readCounter(object.annotations.get(NAMES.version));
        states.set(`${object.uid}/${object.resourceVersion}`, { counter, values: valuesOf(object) });
      }
    }
    for (const uid of promised.keys())
      if (!liveUids.has(uid) && !goneSince.has(uid)) goneSince.set(uid, now());
  };

  /** Whether the rules allow a promised version to be gone. */
  const mayBeGone = (uid: string, version: number, revision: string): boolean => {
    if (excused.has(uid) || excused.has(`${uid}/${version}`)) return true;
    const gone = goneSince.get(uid);
    if (gone !== undefined && orphanTtlMs !== undefined && now() - gone >= orphanTtlMs) return true;
    // What was archived last stays, whatever its number is. An update that failed after it had archived its state may
    // have pruned one state more. One revision may be archived twice: an admin recovered the counter, and failed then.
    const notOlder = [...archivedOf(uid).values()].filter(
      (other) => other.version !== version && Number(other.revision) >= Number(revision),
    );
    return notOlder.length >= lowestLimit;
  };
  const checkSnapshots = (): void => {
    for (const object of cluster.all()) {
      const marks = marksOf(object);
      if (marks === undefined) continue;
      const source = states.get(`${marks.uid}/${marks.sourceResourceVersion}`);
      if (source === undefined) throw new Error(`${object.name} archives a state that never was`);
      if (source.values !== valuesOf(object))
        throw new Error(`${object.name} holds other values than its source`);
      if (marks.version < source.counter)
        throw new Error(`${object.name} archives its source as an older version`);
    }
  };
  const checkPromises = (): void => {
    const present = new Map(
      cluster.all().flatMap((object) => {
        const marks = marksOf(object);
        return marks === undefined ? [] : [[`${marks.uid}/${marks.version}`, valuesOf(object)] as const];
      }),
    );
    for (const [uid, versions] of promised) {
      for (const [version, { values, revision }] of versions) {
        const held = present.get(`${uid}/${version}`);
        // A number that has become free may be taken again, when somebody has turned the counter back.
        if (held === values || mayBeGone(uid, version, revision)) continue;
        throw new Error(
          `version ${version} of ${uid} is ${held === undefined ? 'missing' : 'another state'}`,
        );
      }
    }
  };
  const checkUntouched = (): void => {
    for (const object of untouchable) {
      if (cluster.peek(object)?.resourceVersion !== object.resourceVersion)
        throw new Error(`${object.name} was touched`);
    }
  };

  return {
    observe,
    acknowledge: (replaced, version) => {
      const versions = promised.get(replaced.uid) ?? new Map<number, Promised>();
      const state = { values: valuesOf(replaced), revision: replaced.resourceVersion };
      promised.set(replaced.uid, versions.set(version, state));
    },
    excuse: (uid, version) => void excused.add(version === undefined ? uid : `${uid}/${version}`),
    limitIs: (limit) => {
      lowestLimit = Math.min(lowestLimit, limit);
    },
    check: () => {
      checkSnapshots();
      checkPromises();
      checkUntouched();
    },
  };
}
