import type { PassingRequest } from './interception.ts';

/**
 * The calls that the service made in one namespace on behalf of a request, in words: `GET a`, `LIST history`,
 * `DELETE a.v1`, `GET policy`. What the service does on its own account (watches, metadata, leases) is left out.
 */
export function callsIn(passed: readonly PassingRequest[], namespace: string): readonly string[] {
  return requestsIn(passed, namespace).map(inWords);
}

/** The requests behind {@link callsIn}. */
export function requestsIn(passed: readonly PassingRequest[], namespace: string): readonly PassingRequest[] {
  return passed.filter(
    ({ path, accept, query, body }) =>
      path.startsWith(`/api/v1/namespaces/${namespace}/`) &&
      (!accept.includes('PartialObjectMetadata') || isHistoryOfOne(query) || isConfirmation(body)) &&
      query.get('watch') === null,
  );
}

/** One call in words. */
export function inWords({ method, path, query, body }: PassingRequest): string {
  const [resource, name] = path.split('/').slice(5);
  if (resource === 'configmaps') return `${method} policy`;
  if (name !== undefined) return `${method} ${shortName(name)}`;
  if (method === 'POST') {
    return `POST ${shortName((body as { metadata: { name: string } }).metadata.name)}`;
  }
  return isHistoryOfOne(query) ? 'LIST history' : 'LIST secrets';
}

/** The snapshots of one live Secret: requested on behalf of a request, be it as metadata only. */
function isHistoryOfOne(query: URLSearchParams): boolean {
  return query.get('labelSelector')?.includes('history-uid=') === true;
}

/** The annotations that an update or a deletion writes to its snapshot, as metadata too. */
function isConfirmation(body: unknown): boolean {
  return /\/history-(?:replaced|deleted)-by":"/.test(JSON.stringify(body ?? ''));
}

/** A snapshot's name without the digest of its uid. */
function shortName(name: string): string {
  return name.replace(/(\.v[0-9]+)\.[0-9a-f]{16}$/, '$1');
}

/** Matches the first call that reads so in words. */
export function isCall(namespace: string, words: string): (request: PassingRequest) => boolean {
  return (request) => callsIn([request], namespace)[0] === words;
}

/** Matches the call number `count` that reads so in words, from now on. */
export function isCallNumber(
  namespace: string,
  words: string,
  count: number,
): (request: PassingRequest) => boolean {
  let seen = 0;
  const matches = isCall(namespace, words);
  return (request) => matches(request) && ++seen === count;
}
