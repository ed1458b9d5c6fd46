import { badRequest } from '../api/status.ts';
import { at, textAt, type Json } from '../json/json.ts';

/** Where the next page begins. `revision` -1 means: whatever is there now. */
export interface Continuation {
  readonly revision: number;
  /** The first key that may be on the page, relative to what is listed. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

export function continueToken({ revision, start }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start })).toString('base64url');
}

/** 400 when the text is no token of this cluster. */
export function readContinueToken(text: string): Continuation {
  const value = decoded(text);
  const revision = at(value, 'rv');
  const start = textAt(value, 'start');
  const sound = textAt(value, 'v') === VERSION && Number.isSafeInteger(revision) && start !== '';
  if (!sound || typeof revision !== 'number')
    throw badRequest('continue key is not valid: encoded start key is invalid');
  return { revision, start };
}

function decoded(text: string): Json {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Json;
  } catch {
    throw badRequest('continue key is not valid: it does not decode');
  }
}
