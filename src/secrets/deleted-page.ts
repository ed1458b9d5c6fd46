import type { Actor } from '../access/actor.ts';
import { emailKey } from '../contract/email.ts';
import { ServiceError } from '../errors/service-error.ts';
import { dataBytes, type History } from '../history/history.ts';
import { createConcurrencyLimit } from '../timing/concurrency-limit.ts';
import type { Deadline } from '../timing/deadline.ts';
import {
  comparePositions,
  positionOf,
  type DeletedSecret,
  type FinalPosition,
  type ListedFinal,
} from './deleted-list.ts';
import { keyNamesOf, type KeyNames } from './key-names.ts';
import type { TextSeal } from './sealed-text.ts';

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

/** A page ends early once its snapshots without a record of their keys had so many bytes of values. */
const MAX_READ_BYTES = 8_388_608;
/** Such snapshots that are read at once. Each may have a mebibyte. */
const READS_AT_ONCE = 2;

export type CutDeletedPage = (
  visible: readonly ListedFinal[],
  from: FinalPosition | undefined,
  limit: number | undefined,
  deadline: Deadline,
) => Promise<{ readonly deleted: readonly DeletedSecret[]; readonly last: FinalPosition | undefined }>;

/**
 * Cuts a page from what a person may see, behind the last one of the page before. So it needs no state: what is deleted
 * meanwhile comes before it, and what is restored or removed is left out.
 * @throws {ServiceError} `historyUnavailable`
 */
export function createCutDeletedPage({
  history,
}: {
  readonly history: Pick<History, 'final'>;
}): CutDeletedPage {
  const limited = createConcurrencyLimit(READS_AT_ONCE);
  return async (visible, from, limit = Infinity, deadline) => {
    const deleted: DeletedSecret[] = [];
    let bytes = 0;
    let last: FinalPosition | undefined;
    for (const final of visible) {
      const position = positionOf(final);
      if (from !== undefined && comparePositions(position, from) <= 0) continue;
      if (deleted.length >= limit || (limit !== Infinity && bytes > MAX_READ_BYTES)) return { deleted, last };
      last = position;
      if (final.keyNames !== undefined) {
        deleted.push(deletedSecret(final, final.keyNames));
        continue;
      }
      const read = await limited(() => history.final.read(final, deadline));
      if (read === undefined) continue; // Restored, removed or replaced meanwhile.
      bytes += dataBytes(read.data);
      deleted.push(deletedSecret(final, keyNamesOf(read.data)));
    }
    return { deleted, last: undefined };
  };
}

function deletedSecret({ shown }: ListedFinal, { keys, binaryKeys }: KeyNames): DeletedSecret {
  return { ...shown, keys, keyCount: keys.length, binaryKeys };
}

/** The position of the last one that this person has seen, for this person and namespace alone. */
export function sealPosition(
  seal: TextSeal,
  { at, uid }: FinalPosition,
  actor: Actor,
  namespace: string,
): string {
  return seal.seal(JSON.stringify([at, uid]), boundTo(actor, namespace));
}

/** @throws {ServiceError} `pageExpired` for anything else, such as a token of a former signing key */
export function openPosition(
  seal: TextSeal,
  token: string | undefined,
  actor: Actor,
  namespace: string,
): FinalPosition | undefined {
  if (token === undefined) return undefined;
  const text = seal.open(token, boundTo(actor, namespace));
  if (text === undefined) {
    throw new ServiceError('pageExpired', 'This page is no longer available; begin with the first page', {
      reason: 'deletedPageToken',
    });
  }
  const [at = '', uid = ''] = JSON.parse(text) as readonly string[];
  return { at, uid };
}

function boundTo(actor: Actor, namespace: string): readonly string[] {
  return ['deleted', emailKey(actor.user.email), namespace];
}
