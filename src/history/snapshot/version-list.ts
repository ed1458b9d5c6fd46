import { createHash } from 'node:crypto';
import { MAX_ANNOTATION_BYTES, MAX_STORED_BYTES } from '../../contract/limits.ts';
import { isListOfTexts, jsonOrUndefined } from '../../contract/json-text.ts';
import { textOf } from '../../contract/text.ts';
import { ignoring } from '../../errors/service-error.ts';
import { bytesOfTexts, COLLECTION_LIMITS } from '../../kube/collect.ts';
import { overBudget } from '../../kube/read-pages.ts';
import type { SecretData, StoredSecret } from '../../kube/secret.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { MAX_PRUNED } from './archive.ts';
import { boundMetadata, type HistoryContext } from './inventory.ts';
import { isReplaced } from './rank.ts';
import { dataBytes, readSnapshot, type BoundMetadata } from './snapshot.ts';

/** The keys that were added, changed or removed since an older state. Names only. */
export interface KeyChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** An archived version without its values. */
export interface ListedSnapshot extends BoundMetadata {
  readonly keys: readonly string[];
  readonly binaryKeys: readonly string[];
  /** Compared with the next older archived version; undefined for the oldest. */
  readonly changes: KeyChanges | undefined;
}

export interface ListedSnapshots {
  /** Newest first. */
  readonly snapshots: readonly ListedSnapshot[];
  /** The live state compared with the newest archived one that it has replaced; undefined if there is none. */
  readonly changes: KeyChanges | undefined;
}

/** What is kept of values while versions are compared: digests by key. */
interface State {
  /** The archived revision; empty for the live state. */
  readonly revision: string;
  readonly digests: ReadonlyMap<string, string>;
  readonly binaryKeys: readonly string[];
  /** All keys, twice as the cluster stores them, and all values. */
  readonly bytes: number;
}

/** What is recorded on a snapshot, so that its values are read once. */
interface VersionRecord extends KeyChanges {
  readonly keys: readonly string[];
  readonly binaryKeys: readonly string[];
  /** The source revision of the version that it was compared with; empty for the oldest. */
  readonly since: string;
}

/** 128 bits: enough to compare the values of one Secret within the service. */
const DIGEST_BYTES = 16;
/** What is longer is compared again each time: an annotation is in every list and watch of metadata. */
const MAX_RECORD = 32_768;
/** Left for what a snapshot gains later; without space for it, it would never expire. */
const RESERVE = 32_768;

/**
 * The versions of a live Secret, by metadata. A snapshot says what changed with it, once it was compared with the next
 * older one; until then the values of both are read. So a list of large values that runs out of time goes on from there.
 *
 * @throws {ServiceError} `listFailed`, `listInconsistent` or `listOverBudget`; those of the store
 */
export async function listVersions(
  context: HistoryContext,
  live: StoredSecret,
  deadline: Deadline,
): Promise<ListedSnapshots> {
  const bound = await boundMetadata(context, live, deadline);
  const there = bound.filter(({ stored }) => stored.deletionTimestamp === undefined);
  const stateOf = createStates(context, deadline);
  // A snapshot of the live state belongs to a replacement that has not happened, so it is not an earlier state.
  const previous = there.find((one) => isReplaced(one.sourceResourceVersion, live.resourceVersion));
  const before = previous && (await stateOf(previous));
  const changes = before && changesBetween(before, summarize('', live.data));
  const snapshots: ListedSnapshot[] = [];
  let bytes = 0;
  for (const [position, snapshot] of there.entries()) {
    let older = there[position + 1];
    let record = recordedOf(snapshot, older);
    if (record === undefined) {
      const state = await stateOf(snapshot);
      const olderState = older && (await stateOf(older));
      // Removed meanwhile.
      if (state === undefined) continue;
      if (olderState === undefined) older = undefined;
      record = compare(state, olderState);
      // An update expects to find unchanged what it archives, and what it removes.
      const isNextToGo = position >= context.limit - MAX_PRUNED;
      if (isReplaced(snapshot.sourceResourceVersion, live.resourceVersion) && !isNextToGo)
        await keepRecord(context, snapshot, { record, bytes: state.bytes }, deadline);
    }
    const { keys, binaryKeys, added, changed, removed } = record;
    bytes += bytesOfTexts([keys, binaryKeys, added, changed, removed].flat());
    if (bytes > COLLECTION_LIMITS.bytes) throw overBudget('Secrets', 'bytes');
    const since = older === undefined ? undefined : { added, changed, removed };
    snapshots.push({ ...snapshot, keys, binaryKeys, changes: since });
  }
  return { snapshots, changes };
}

function compare(state: State, older: State | undefined): VersionRecord {
  return {
    since: older?.revision ?? '',
    keys: [...state.digests.keys()],
    binaryKeys: state.binaryKeys,
    ...changesBetween(older ?? state, state),
  };
}

/** Records on a snapshot what was compared, if there is space. @param bytes those of its keys and values */
async function keepRecord(
  { store, codec }: HistoryContext,
  { stored }: BoundMetadata,
  { record, bytes }: { readonly record: VersionRecord; readonly bytes: number },
  deadline: Deadline,
): Promise<void> {
  const text = JSON.stringify(record);
  let annotations = RESERVE + text.length;
  for (const [name, value] of stored.annotations)
    annotations += Buffer.byteLength(name) + Buffer.byteLength(value);
  const hasSpace = annotations <= MAX_ANNOTATION_BYTES && annotations + bytes <= MAX_STORED_BYTES;
  if (text.length > MAX_RECORD || !hasSpace) return;
  const change = { annotations: codec.historyChanges(text) };
  // After a failure the next list compares again.
  await store.patchMetadata(stored, stored, change, deadline).catch(ignoring());
}

/**
 * Undefined if it no longer exists. The last two are kept, so that a snapshot is read once by who compares each with the
 * next older one: a Secret may have tens of thousands of keys, and a thousand versions.
 */
function createStates({ store }: HistoryContext, deadline: Deadline) {
  const states = new Map<string, State | undefined>();
  return async ({ stored }: BoundMetadata): Promise<State | undefined> => {
    if (!states.has(stored.uid)) {
      const found = await store.read(stored, deadline);
      const snapshot = found?.uid === stored.uid ? readSnapshot(found) : 'kindLabelMissing';
      const state =
        typeof snapshot === 'string'
          ? undefined
          : summarize(snapshot.sourceResourceVersion, snapshot.stored.data);
      states.set(stored.uid, state);
      const [first = ''] = states.keys();
      if (states.size > 2) states.delete(first);
    }
    return states.get(stored.uid);
  };
}

function summarize(revision: string, data: SecretData): State {
  return {
    revision,
    bytes: dataBytes(data) + 2 * [...data.keys()].join('').length,
    digests: new Map(
      [...data].map(([key, value]) => [
        key,
        createHash('sha256').update(value).digest().subarray(0, DIGEST_BYTES).toString('base64'),
      ]),
    ),
    binaryKeys: [...data].filter(([, value]) => textOf(value) === undefined).map(([key]) => key),
  };
}

function changesBetween({ digests: older }: State, { digests: newer }: State): KeyChanges {
  const keys = [...newer.keys()];
  return {
    added: keys.filter((key) => !older.has(key)),
    changed: keys.filter((key) => older.has(key) && older.get(key) !== newer.get(key)),
    removed: [...older.keys()].filter((key) => !newer.has(key)),
  };
}

/** Undefined if it was not compared with `older`, or something else has written the annotation. */
function recordedOf({ stored }: BoundMetadata, older: BoundMetadata | undefined): VersionRecord | undefined {
  const record = parseRecord(stored.managed.snapshot?.changes ?? '');
  if (older === undefined || record?.since === older.sourceResourceVersion) return record;
  return undefined;
}

const LISTS = ['keys', 'binaryKeys', 'added', 'changed', 'removed'] as const;

function parseRecord(text: string): VersionRecord | undefined {
  const parsed = text.length > MAX_RECORD ? undefined : jsonOrUndefined(text);
  const record = (parsed ?? {}) as Partial<Record<keyof VersionRecord, unknown>>;
  const isRecord = typeof record.since === 'string' && LISTS.every((name) => isListOfTexts(record[name]));
  return isRecord ? (record as VersionRecord) : undefined;
}
