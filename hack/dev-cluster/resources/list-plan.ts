import { badRequest, expired, futureRevision, invalid } from '../api/status.ts';
import { type Store } from '../store/store.ts';
import { forbiddenField, notSupported } from '../validation/field-errors.ts';
import { continueToken, readContinueToken } from './continue-token.ts';
import { numberOf } from './options.ts';

/** Which state of the cluster a list shows, from which key on, and how many objects of it (0: all). */
export interface ListPlan {
  readonly revision: number;
  readonly start: string;
  readonly limit: number;
}

const OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** Reads limit, continue, resourceVersion and resourceVersionMatch, by the rules of the API concepts page. */
export function listPlan(query: URLSearchParams, store: Store): ListPlan {
  const limit = numberOf(query, 'limit') ?? 0;
  const requested = query.get('resourceVersion') ?? '';
  const match = checkMatch(query, requested);
  const token = query.get('continue') ?? '';
  if (token !== '') return continued(token, requested, limit, store);
  const revision = requested === '' ? 0 : revisionOf(requested);
  // From the watch cache ("any revision will do") the limit is not applied.
  if (requested === '0') return { revision: store.revision, start: '', limit: 0 };
  if (revision > store.revision) throw futureRevision(revision, store.revision);
  const exact = match === 'Exact' || (match === '' && requested !== '' && limit > 0);
  if (!exact) return { revision: store.revision, start: '', limit };
  if (revision < store.compacted) throw expired('The resourceVersion for the provided list is too old.');
  return { revision, start: '', limit };
}

/** A revision of a query. */
export function revisionOf(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: must be a resource version`);
  return Number(text);
}

/** 410, with a token in it that goes on with whatever is there now: inconsistent, but better than nothing. */
export function expiredContinuation(token: string): Error {
  const { start } = readContinueToken(token);
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  return expired(message, { continue: continueToken({ revision: -1, start }) });
}

function continued(token: string, requested: string, limit: number, store: Store): ListPlan {
  if (requested !== '' && requested !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const { revision, start } = readContinueToken(token);
  if (revision < 0) return { revision: store.revision, start, limit };
  if (revision < store.compacted) throw expiredContinuation(token);
  if (revision > store.revision) throw futureRevision(revision, store.revision);
  return { revision, start, limit };
}

function checkMatch(query: URLSearchParams, requested: string): string {
  const match = query.get('resourceVersionMatch') ?? '';
  if (match === '') return match;
  const refuse = (rule: string): Error => invalid(OPTIONS, [forbiddenField('resourceVersionMatch', rule)]);
  if (requested === '') throw refuse('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if ((query.get('continue') ?? '') !== '')
    throw refuse('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    throw invalid(OPTIONS, [notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', ''])]);
  }
  if (match === 'Exact' && requested === '0') {
    throw refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  return match;
}
