import type { Deadline } from '../timing/deadline.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { valuesChangedAt } from '../kube/expiry.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { MetadataEdit } from './input.ts';
import type { AuthorizedSecret } from './authorize.ts';
import type { SecretChange, SecretsDependencies, SecretStore } from './ports.ts';
import type { Actor } from '../access/actor.ts';
import { emailKey } from '../contract/email.ts';
import {
  requireStorable,
  RELOAD,
  requireNextVersion,
  requireSameIfImmutable,
  requireTypeRule,
} from './write-checks.ts';

interface Modification {
  readonly actor: Actor;
  readonly now: Date;
  /** The version counter after the write. */
  readonly version: number;
  /** When the values last changed, in milliseconds since 1970; undefined for now. */
  readonly valuesChangedAt?: number | undefined;
}

/**
 * The annotations after a write: those that the edit names, and what the service manages itself. Everything else,
 * foreign annotations and what the edit leaves out, stays unchanged.
 */
export function managedAnnotations(
  stored: ReadonlyMap<string, string>,
  edit: MetadataEdit,
  { actor, now, version, valuesChangedAt = now.getTime() }: Modification,
  codec: Pick<AnnotationCodec, 'edited'>,
): ReadonlyMap<string, string> {
  return codec.edited(stored, {
    ...edit,
    version,
    lastModifiedBy: emailKey(actor.user.email),
    lastModifiedAt: now.toISOString(),
    valuesChangedAt: new Date(valuesChangedAt).toISOString(),
  });
}

/** The object changed, or was deleted, between this service's own read and its write. */
function writeRace(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('conflict', RELOAD, { reason, cause });
}

interface WriteBack {
  readonly metadata: MetadataEdit;
  /** All values after the write. Undefined keeps the stored bytes. */
  readonly data: SecretData | undefined;
  /** Whether the values are new ones: those of a restore are not. */
  readonly hasNewValues: boolean;
  readonly recoverCounter: boolean;
  /** An archived version that is kept until after the replacement even beyond the limit: a restore's source. */
  readonly keepVersion?: number;
}

/** A write that is checked and ready to be committed. */
type PlannedWrite = Awaited<ReturnType<typeof planWrite>>;

/**
 * Gathers what a write would store, and checks it. Writes nothing, and reads the history only if the counter is recovered.
 * @throws {ServiceError} in this order: `invalidSecret` when the Secret or its type does not take the values;
 *   `historyUnavailable` or `snapshotCollision` from a recovery, or when the counter cannot grow; `tooLarge`
 */
export async function planWrite(
  { history, codec, now }: SecretsDependencies,
  { actor, live }: AuthorizedSecret<'write'>,
  { metadata, data, hasNewValues, recoverCounter, keepVersion }: WriteBack,
  deadline: Deadline,
) {
  const after = data ?? live.data;
  requireSameIfImmutable(live, after);
  await requireTypeRule(live.type, after);
  const counter = live.managed.version;
  const current = recoverCounter ? await history.freeVersion(live, counter, deadline) : counter;
  requireNextVersion(current);
  const modification = {
    ...{ actor, now: now(), version: current + 1 },
    valuesChangedAt: hasNewValues ? undefined : valuesChangedAt(live),
  };
  const annotations = managedAnnotations(live.annotations, metadata, modification, codec);
  requireStorable({ ...live, data: after, annotations });
  // `current` is the number of the archived current state: the write gets the next one.
  return { current, annotations, data, keepVersion };
}

/**
 * The commit step of update and restore, which validates nothing: the use cases have checked everything. It archives
 * the current state, replaces the live object, then confirms that the archived state stays.
 *
 * After a crash or a failure between two steps the live Secret is either unchanged or replaced. A snapshot of the state
 * that is still live may remain; the next attempt finds it by its name and reuses it. Two writers of the same revision
 * archive the same snapshot, and the cluster lets only one of them replace the object. A write is acknowledged only
 * after it was replaced and confirmed.
 *
 * @throws {ServiceError} `snapshotCollision`, `historyUnavailable` or `conflict` before the replacement; `conflict`,
 *   `rejected` or `uncertain` from the replacement; `uncertain` after it
 */
export async function writeBack(
  { store, history }: SecretsDependencies,
  { live }: AuthorizedSecret<'write'>,
  { current, annotations, data, keepVersion }: PlannedWrite,
  deadline: Deadline,
): Promise<StoredSecret> {
  const requireUnchanged = () => requireStill(store, live, ['changedBeforeWrite'], deadline);
  const replace = (change: SecretChange) =>
    store.replace(live, change, deadline).catch(throwRace('writeRace', 'disappearedBeforeWrite'));
  // While its deletion is pending, its values are in the final snapshot, and cannot change.
  const final = await history.final.follow(live, { annotations, requireUnchanged }, deadline);
  if (final !== undefined) {
    const changed = await replace({ annotations });
    await history.final.confirmFollowed(final, changed, deadline);
    return changed;
  }
  const change = { annotations, ...(data !== undefined && { data }) };
  const receipt = await history.archive(live, current, keepVersion, deadline);
  const written = await replace(change).catch(receipt.notReplaced);
  await history.confirm(receipt, written, deadline);
  return written;
}

/** @param reasons for the log: the object has changed, and no longer exists where that differs */
export async function requireStill(
  store: SecretStore,
  live: StoredSecret,
  [changed, gone = changed]: readonly [changed: string, gone?: string],
  deadline: Deadline,
): Promise<void> {
  const now = await store.read(live, deadline);
  if (now?.uid === live.uid && now.resourceVersion === live.resourceVersion) return;
  throw writeRace(now === undefined ? gone : changed);
}

/** For a write of the live Secret that fails: a race if it has changed, or no longer exists. */
export function throwRace(changed: string, gone: string): (error: unknown) => never {
  return (error) => {
    if (isServiceError(error, 'conflict')) throw writeRace(changed, error);
    if (isServiceError(error, 'notFound')) throw writeRace(gone, error);
    throw error;
  };
}
