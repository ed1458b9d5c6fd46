import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import { RULE_LISTS, rulesOf } from '../contract/access-rules.ts';
import { emailKey } from '../contract/email.ts';
import { shortDescription } from '../contract/text.ts';
import { invalidRequest, ServiceError } from '../errors/service-error.ts';
import {
  dataBytes,
  historyNotReadInTime,
  historyUnavailable,
  type FinalMetadata,
} from '../history/history.ts';
import { bytesOfTexts, type Pass } from '../kube/collect.ts';
import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createEventLoopYielder } from '../timing/event-loop-yielder.ts';
import { SharedRuns } from '../timing/shared-runs.ts';
import { sortInSlices } from '../timing/sort-in-slices.ts';
import type { SecretsDependencies } from './ports.ts';
import { keyNamesOf, parseKeyRecord, type KeyNames } from './secret-view.ts';
import type { Seal } from './seal.ts';

/** The position of a final snapshot in the list. */
export interface FinalPosition {
  /** When its deletion was requested, in milliseconds since 1970; 0 if that is no time. */
  readonly at: number;
  readonly uid: string;
}

/** The last deletion first. */
function comparePositions(one: FinalPosition, other: FinalPosition): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.uid === other.uid) return 0;
  return one.uid < other.uid ? -1 : 1;
}

type DeletedDependencies = Pick<SecretsDependencies, 'history' | 'orphanTtlMs'>;

const LISTS_AT_ONCE = 2;
/** Of the details that a list keeps. Where a final snapshot is takes a few hundred bytes more, and is always kept. */
const MAX_BYTES = 33_554_432;
/** Beside its texts. */
const BYTES_EACH = 500;

/** Lists all deleted Secrets of namespaces, the last deletion first: no one's access counts yet. */
export function createDeletedLists({ history, orphanTtlMs }: DeletedDependencies) {
  const run = async (namespace: string, deadline: Deadline) => {
    const reduce = (final: FinalMetadata, pass: Pass) => {
      const { uid, stored, deletion } = final;
      const details = finalDetails(final, orphanTtlMs);
      const size = bytesOf(details);
      const isKept = pass.bytes + size <= MAX_BYTES;
      if (isKept) pass.bytes += size;
      return {
        stored: { namespace: stored.namespace, name: stored.name, uid: stored.uid },
        at: Date.parse(deletion.at) || 0,
        uid,
        /** Undefined beyond {@link MAX_BYTES}: the snapshot has to be read. */
        details: isKept ? details : undefined,
      };
    };
    const { items, resourceVersion } = await history.final.list(namespace, reduce, deadline);
    return { items: await sortInSlices(items, comparePositions), resourceVersion };
  };
  return new SharedRuns({
    keyOf: (namespace: string) => namespace,
    run,
    atOnce: LISTS_AT_ONCE,
    deadlineExceeded: historyNotReadInTime,
  });
}

/** What a final snapshot says of a deleted Secret; response-schemas.ts describes each field. */
type FinalDetails = ReturnType<typeof finalDetails>;

/** @param keyNames undefined when the snapshot has to be read for them */
function finalDetails(
  final: FinalMetadata,
  orphanTtlMs: number | undefined,
  keyNames = parseKeyRecord(final.deletion.keys),
) {
  const { of: name, uid, type, version, deletion, stored } = final;
  const { managed } = stored;
  const description = shortDescription(managed.description);
  const { accepted, at, by } = deletion;
  const expiry = expiryOf(managed.snapshot?.orphanedAt ?? (accepted ? at : undefined), orphanTtlMs);
  return {
    shown: {
      ...{ name, uid, type, description, version, ...rulesOf(managed) },
      // The deletion with archive may have failed, and someone else deleted the Secret, perhaps in another state.
      ...(accepted && { deletedBy: by, deletedAt: at }),
      ...(!accepted && { uncertain: true as const }),
      ...(expiry !== undefined && { expiresAt: expiry }),
    },
    keyNames,
  };
}

function bytesOf({ shown, keyNames }: FinalDetails): number {
  const { name, type, description, deletedBy = '', deletedAt = '' } = shown;
  const { keys, binaryKeys } = keyNames ?? { keys: [], binaryKeys: [] };
  const texts = [name, type, description, deletedBy, deletedAt];
  const lists = [texts, ...RULE_LISTS.map((list) => shown[list] ?? []), keys, binaryKeys];
  return BYTES_EACH + bytesOfTexts(lists.flat());
}

/** The time to live begins when the reconciler has found the live Secret gone, shortly after the deletion. */
function expiryOf(since: string | undefined, orphanTtlMs: number | undefined): string | undefined {
  if (since === undefined || orphanTtlMs === undefined) return undefined;
  const expiry = new Date(Date.parse(since) + orphanTtlMs);
  return Number.isNaN(expiry.getTime()) ? undefined : expiry.toISOString();
}

export interface DeletedPageRequest {
  /** Undefined: all of them, or an error. */
  readonly limit: number | undefined;
  /** From the page before. */
  readonly token: string | undefined;
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

/**
 * Cuts a page from what a person may see, behind the end of the page before. So it needs no state: what is deleted
 * meanwhile comes before it, and what is restored or removed is left out. Its end may be a position that the person may
 * not see.
 * @throws {ServiceError} `invalidRequest`, `pageExpired`, `historyUnavailable` or `policyUnavailable`
 */
export function createDeletedPages(dependencies: SecretsDependencies) {
  const { authorizer, tokenSeal, history, orphanTtlMs } = dependencies;
  const lists = createDeletedLists(dependencies);
  const limited = createConcurrencyLimit(READS_AT_ONCE);
  return async (
    actor: Actor,
    namespace: NamespaceInScope,
    { limit, token }: DeletedPageRequest,
    deadline: Deadline,
  ) => {
    const from = openPosition(tokenSeal, token, actor, namespace);
    const { items, resourceVersion } = await lists.join(namespace, deadline);
    if (limit === undefined && items.some(({ details }) => details === undefined))
      throw historyUnavailable('deletedOverBudget');
    const listed = { live: true, newest: resourceVersion };
    const access = await authorizer.forList(actor, namespace, listed, deadline);
    const isVisible = ({ shown }: FinalDetails): boolean => access.isVisible(shown, shown.name);
    const deleted: ReturnType<typeof shownIn>[] = [];
    const half = deadline.remainingMs() / 2;
    let bytes = 0;
    // Of the snapshots that are read, without their values, which are dropped.
    let kept = 0;
    let last: FinalPosition | undefined;
    const yielder = createEventLoopYielder();
    const isSpent = () => bytes > MAX_READ_BYTES || (bytes > 0 && deadline.remainingMs() < half);
    for (const final of items) {
      if (yielder.isDue()) await yielder.yieldNow();
      let { details } = final;
      if (from !== undefined && comparePositions(final, from) <= 0) continue;
      if (details !== undefined && !isVisible(details)) continue;
      if (limit !== undefined && (deleted.length >= limit || isSpent()))
        return { deleted, continue: last && sealPosition(tokenSeal, last, actor, namespace) };
      last = final;
      if (details?.keyNames === undefined) {
        const read = await limited(() => history.final.read(final, deadline));
        bytes += REQUEST_BYTES;
        // It was restored, removed or replaced meanwhile.
        if (read === undefined) continue;
        details = finalDetails(read, orphanTtlMs, keyNamesOf(read.stored.data));
        const size = bytesOf(details);
        kept += size;
        bytes += size + dataBytes(read.stored.data);
        if (limit === undefined && kept > MAX_BYTES) throw historyUnavailable('deletedOverBudget');
      }
      if (details.keyNames !== undefined && isVisible(details))
        deleted.push(shownIn(details, details.keyNames));
    }
    return { deleted, continue: undefined };
  };
}

function shownIn({ shown }: FinalDetails, { keys, binaryKeys }: KeyNames) {
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

/** All tokens have this form. */
const TOKEN = /^[A-Za-z0-9_-]{166}$/;

/** @throws {ServiceError} `invalidRequest` for what is no token; `pageExpired` for one of a former signing key, for example */
export function openPosition(
  seal: Seal,
  token: string | undefined,
  actor: Actor,
  namespace: string,
): FinalPosition | undefined {
  if (token === undefined) return undefined;
  if (!TOKEN.test(token)) throw invalidRequest('continue must be as the page before gave it');
  const bytes = seal.open(Buffer.from(token, 'base64url'), boundTo(actor, namespace));
  if (bytes === undefined) {
    throw new ServiceError('pageExpired', 'This page is no longer available; begin with the first page', {
      reason: 'deletedPageToken',
    });
  }
  const [at, uid] = JSON.parse(bytes.toString()) as [number, string];
  return { at, uid };
}

const boundTo = (actor: Actor, namespace: string) => ['deleted', emailKey(actor.user.email), namespace];
