import type { Deadline } from '../../timing/deadline.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SecretMetadata, StoredSecret } from '../../kube/secret.ts';
import { listSelected, unavailableAt, type HistoryContext } from './inventory.ts';
import { versionNamed } from './snapshot.ts';

/** This many numbers are free from the returned one on, so that one recovery is enough for all later updates. */
export const FREE_RUN = 1_000_000;
const LAST_START = Number.MAX_SAFE_INTEGER - FREE_RUN;

/** Of the objects almost nothing is kept. */
const BUDGET = { objects: Infinity, bytes: Infinity, pages: 1_000 };

/**
 * The number under which a reviewed state is archived: above every archived number of the live UID, not below the live
 * counter, and the first from which {@link FREE_RUN} names are free. Other objects may have the names of snapshots, far
 * apart or at the end of the safe integers: their numbers are skipped, and do not raise the counter otherwise. A live
 * counter at the end of the safe integers is ignored, too.
 *
 * Reads one list of the whole namespace as metadata, since foreign objects have no label to select them by. Only
 * names and numbers are kept, so the list has no limit of objects.
 *
 * @throws {ServiceError} `historyUnavailable`, or `snapshotCollision` when no number is left
 */
export async function findFreeVersion(
  { store }: HistoryContext,
  live: StoredSecret,
  counter: number,
  deadline: Deadline,
): Promise<number> {
  const everything = { namespace: live.namespace, labelSelector: '', budget: BUDGET };
  const { items } = await listSelected(store, everything, deadline, (item) => {
    const version = versionNamed(item.name, live);
    return version === undefined ? undefined : { version, isArchived: isOfLive(item, live) };
  }).catch(unavailableAt('historyNotListed'));
  /** The numbers whose snapshot name exists already, whatever the object is. */
  const taken = items.filter((item) => item !== undefined);
  const newestArchived = taken.reduce(
    (newest, { version, isArchived }) => (isArchived ? Math.max(newest, version) : newest),
    0,
  );
  const lowest = Math.max(newestArchived + 1, counter <= LAST_START ? counter : 1);
  const sorted = taken
    .map(({ version }) => version)
    .filter((version) => version >= lowest)
    .sort((one, other) => one - other);
  const free = firstFree(sorted, lowest, FREE_RUN) ?? firstFree(sorted, lowest, 2);
  if (free === undefined) {
    throw new ServiceError('snapshotCollision', 'No version number is free above the archived ones', {
      reason: 'counterExhausted',
    });
  }
  return free;
}

/** The first number from `lowest` on that begins `run` free ones, all of them safe integers. */
function firstFree(sorted: readonly number[], lowest: number, run: number): number | undefined {
  let candidate = lowest;
  for (const version of sorted) {
    if (version - candidate >= run) break;
    candidate = version + 1;
  }
  return Number.MAX_SAFE_INTEGER - candidate >= run - 1 ? candidate : undefined;
}

/** By the annotation or the label of the UID: a snapshot without its other metadata is still an archived state. */
function isOfLive({ managed: { snapshot } }: SecretMetadata, { uid }: StoredSecret): boolean {
  return snapshot?.uid === uid || snapshot?.uidLabel === uid;
}
