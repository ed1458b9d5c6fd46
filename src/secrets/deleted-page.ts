import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import { emailKey } from '../contract/email.ts';
import { ServiceError } from '../errors/service-error.ts';
import { dataBytes, historyUnavailable, type FinalSnapshot } from '../history/history.ts';
import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import {
  comparePositions,
  createDeletedLists,
  finalDetails,
  type DeletedSecret,
  type FinalDetails,
  type FinalPosition,
  type ListedFinal,
} from './deleted-list.ts';
import type { SecretsDependencies } from './ports.ts';
import { keyNamesOf, type KeyNames } from './secret-view.ts';
import type { Seal } from './seal.ts';

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

/**
 * Cuts a page from what a person may see, behind the end of the page before. So it needs no state: what is deleted
 * meanwhile comes before it, and what is restored or removed is left out. Its end may be a position that the person may
 * not see.
 * @throws {ServiceError} `pageExpired`, `historyUnavailable` or `policyUnavailable`
 */
export function createDeletedPages(dependencies: SecretsDependencies) {
  const { authorizer, tokenSeal } = dependencies;
  const lists = createDeletedLists(dependencies);
  const limited = createConcurrencyLimit(READS_AT_ONCE);
  return async (
    actor: Actor,
    namespace: NamespaceInScope,
    { limit, token }: DeletedPageRequest,
    deadline: Deadline,
  ): Promise<DeletedPage> => {
    const from = openPosition(tokenSeal, token, actor, namespace);
    const { items, resourceVersion } = await lists.join(namespace, deadline);
    if (limit === undefined && items.some(({ details }) => details === undefined))
      throw historyUnavailable('deletedOverBudget');
    const listed = { live: true, newest: resourceVersion };
    const access = await authorizer.forList(actor, namespace, listed, deadline);
    const isVisible = ({ shown }: FinalDetails): boolean => access.isVisible(shown, shown.name);
    const deleted: DeletedSecret[] = [];
    const half = deadline.remainingMs() / 2;
    let bytes = 0;
    let last: FinalPosition | undefined;
    const isSpent = () => bytes > MAX_READ_BYTES || (bytes > 0 && deadline.remainingMs() < half);
    for (const final of items) {
      const { position, details } = final;
      if (from !== undefined && comparePositions(position, from) <= 0) continue;
      if (details !== undefined && !isVisible(details)) continue;
      if (limit !== undefined && (deleted.length >= limit || isSpent()))
        return { deleted, continue: last && sealPosition(tokenSeal, last, actor, namespace) };
      last = position;
      const read = isComplete(details)
        ? { details, bytes: 0 }
        : await limited(() => readDetails(dependencies, final, deadline));
      bytes += read.bytes;
      if (read.details !== undefined && isVisible(read.details)) deleted.push(shownIn(read.details));
    }
    return { deleted, continue: undefined };
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

/** More than a time with a UID takes, which is also a label: at most 63 characters. */
const POSITION_BYTES = 96;

/** The end of a page, for this person and namespace alone. All have the same length. */
export function sealPosition(
  seal: Seal,
  { at, uid }: FinalPosition,
  actor: Actor,
  namespace: string,
): string {
  const bytes = Buffer.from(JSON.stringify([at, uid]).padEnd(POSITION_BYTES));
  return seal.seal(bytes, boundTo(actor, namespace)).toString('base64url');
}

/** @throws {ServiceError} `pageExpired` for anything else, such as a token of a former signing key */
export function openPosition(
  seal: Seal,
  token: string | undefined,
  actor: Actor,
  namespace: string,
): FinalPosition | undefined {
  if (token === undefined) return undefined;
  const bytes = seal.open(Buffer.from(token, 'base64url'), boundTo(actor, namespace));
  if (bytes === undefined) {
    throw new ServiceError('pageExpired', 'This page is no longer available; begin with the first page', {
      reason: 'deletedPageToken',
    });
  }
  const [at, uid] = JSON.parse(bytes.toString()) as [number, string];
  return { at, uid };
}

function boundTo(actor: Actor, namespace: string): readonly string[] {
  return ['deleted', emailKey(actor.user.email), namespace];
}
