import type { Actor } from '../access/actor.ts';
import { emailKey } from '../contract/email.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Seal } from './seal.ts';

/** The position of a final snapshot in the list. */
export interface FinalPosition {
  /** When its deletion was requested, in milliseconds since 1970; 0 if that is no time. */
  readonly at: number;
  readonly uid: string;
}

/** More than a time with a UID takes, which is also a label: at most 63 characters. */
const POSITION_BYTES = 96;

/** The last deletion first. */
export function comparePositions(one: FinalPosition, other: FinalPosition): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.uid === other.uid) return 0;
  return one.uid < other.uid ? -1 : 1;
}

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
