import type { ListAccess } from '../access/list-access.ts';
import { dataBytes, type FinalSnapshot } from '../history/history.ts';
import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import {
  finalDetails,
  type DeletedList,
  type DeletedSecret,
  type FinalDetails,
  type ListedFinal,
  comparePositions,
  type FinalPosition,
} from './deleted-list.ts';
import type { SecretsDependencies } from './ports.ts';
import { keyNamesOf, type KeyNames } from './secret-view.ts';

export interface DeletedPageRequest {
  /** Undefined: all of them, or an error. */
  readonly limit: number | undefined;
  /** From the page before. */
  readonly token: string | undefined;
}

export interface DeletedPage {
  /** The last deletion first. */
  readonly deleted: readonly DeletedSecret[];
  /** Undefined on the last page. */
  readonly continue: string | undefined;
}

/**
 * A page with a limit ends early once the snapshots that were read for it have so many bytes, or half of its time has
 * passed. One is always read, so every page makes progress.
 */
const MAX_READ_BYTES = 8_388_608;
/** What a read counts at least. */
const REQUEST_BYTES = 1_024;
/** Snapshots that are read at once. Each may have more than a mebibyte. */
const READS_AT_ONCE = 2;

type CompleteDetails = FinalDetails & { readonly keyNames: KeyNames };

export interface DeletedPageParts extends Pick<DeletedList, 'finals'> {
  readonly access: Pick<ListAccess, 'isVisible'>;
  readonly from: FinalPosition | undefined;
  /** Undefined: all of them. */
  readonly limit: number | undefined;
}

export type CutDeletedPage = (
  parts: DeletedPageParts,
  deadline: Deadline,
) => Promise<{ readonly deleted: readonly DeletedSecret[]; readonly last: FinalPosition | undefined }>;

/**
 * Cuts a page from what a person may see, behind the end of the page before. So it needs no state: what is deleted
 * meanwhile comes before it, and what is restored or removed is left out. Its end may be a position that the person may
 * not see.
 * @throws {ServiceError} `historyUnavailable`
 */
export function createCutDeletedPage(dependencies: SecretsDependencies): CutDeletedPage {
  const limited = createConcurrencyLimit(READS_AT_ONCE);
  return async ({ finals, access, from, limit }, deadline) => {
    const deleted: DeletedSecret[] = [];
    const half = deadline.remainingMs() / 2;
    let bytes = 0;
    let last: FinalPosition | undefined;
    const isSpent = () => bytes > MAX_READ_BYTES || (bytes > 0 && deadline.remainingMs() < half);
    for (const final of finals) {
      const { position, details } = final;
      if (from !== undefined && comparePositions(position, from) <= 0) continue;
      if (details !== undefined && !access.isVisible(details.shown, details.shown.name)) continue;
      if (limit !== undefined && (deleted.length >= limit || isSpent())) return { deleted, last };
      last = position;
      const read = isComplete(details)
        ? { details, bytes: 0 }
        : await limited(() => readDetails(dependencies, final, deadline));
      bytes += read.bytes;
      if (read.details !== undefined && access.isVisible(read.details.shown, read.details.shown.name))
        deleted.push(shownIn(read.details));
    }
    return { deleted, last: undefined };
  };
}

/** Whether nothing has to be read for them. */
function isComplete(details: FinalDetails | undefined): details is CompleteDetails {
  return details?.keyNames !== undefined;
}

/** Undefined if it was restored, removed or replaced meanwhile. */
async function readDetails(
  { history, orphanTtlMs }: SecretsDependencies,
  final: ListedFinal,
  deadline: Deadline,
): Promise<{ readonly details: CompleteDetails | undefined; readonly bytes: number }> {
  const read = await history.final.read(final, deadline);
  if (read === undefined) return { details: undefined, bytes: REQUEST_BYTES };
  const { shown } = finalDetails(read, orphanTtlMs);
  return { details: { shown, keyNames: keyNamesOf(read.stored.data) }, bytes: bytesRead(read) };
}

function bytesRead({ stored: { data, annotations } }: FinalSnapshot): number {
  let bytes = REQUEST_BYTES + dataBytes(data);
  for (const text of annotations.values()) bytes += text.length;
  return bytes;
}

function shownIn({ shown, keyNames: { keys, binaryKeys } }: CompleteDetails): DeletedSecret {
  return { ...shown, keys, keyCount: keys.length, binaryKeys };
}
