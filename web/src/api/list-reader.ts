import { ignore, type ApiClient, type RequestOptions } from './http-client.ts';
import type { Operations } from './schema.ts';

const LIST = 'GET /api/namespaces/{namespace}/secrets';
const PAGE_SIZE = 500;
/** Changes that are shown at once. */
const MOST_CHANGES = 8;
/** From here on a list comes in pages. */
export const LONG_LIST = 1_000;
/** How long no pages are requested of a service that has just had none. */
const REST_MS = 60_000;

export type SecretList = Operations['GET /api/namespaces/{namespace}/secrets']['answer'] & {
  /** When the cluster looked like this, in milliseconds since 1970. */
  readonly asOf: number;
};

/** Of a list, or of the pages of a long one. */
export function secretsIn(
  data: SecretList | { readonly pages: readonly SecretList[] } | undefined,
): SecretList['secrets'] {
  if (data === undefined) return [];
  return 'pages' in data ? data.pages.flatMap((page) => page.secrets) : data.secrets;
}

export interface PageQuery {
  /** Words that must each occur. */
  readonly q?: string;
  readonly sort?: 'name' | 'changed';
  /** What the page before gave; left out for the first. */
  readonly token?: string;
  /** Left out: as many as there can be. */
  readonly limit?: number;
}

/** Reads lists, from the service's cache unless the next list of the namespace has to be a live one. */
export function createListReader(send: ApiClient, now: () => number) {
  const readLive = new Set<string>();
  const request = async (
    namespace: string,
    options: Omit<RequestOptions<typeof LIST>, 'path'>,
  ): Promise<SecretList> => {
    const { content, headers } = await send(LIST, { path: { namespace }, ...options });
    return { ...content, asOf: asOf(headers, now()) };
  };
  const list = async (namespace: string, signal: AbortSignal): Promise<SecretList> => {
    const live = readLive.delete(namespace);
    try {
      return await request(namespace, { signal, mayBeCached: !live });
    } catch (error) {
      if (live) readLive.add(namespace);
      throw error;
    }
  };
  const page = (
    namespace: string,
    { q = '', sort = 'name', token = '', limit = PAGE_SIZE }: PageQuery,
    signal: AbortSignal,
  ): Promise<SecretList> =>
    request(namespace, {
      signal,
      mayBeCached: true,
      query: {
        limit: String(limit),
        ...(q === '' ? {} : { q }),
        ...(sort === 'name' ? {} : { sort }),
        ...(token === '' ? {} : { continue: token }),
      },
    });
  return {
    /** The next list of the namespace is read from the cluster, not from the service's cache. */
    readNextListLive: (namespace: string) => void readLive.add(namespace),
    list,
    page,
    /** How many Secrets the list has. */
    count: async (namespace: string, signal: AbortSignal): Promise<number> => {
      const { total, secrets } = await page(namespace, { limit: 1 }, signal);
      return total ?? secrets.length;
    },
    /** Whether a Secret that the reader may see has this name, from the service's memory. False says nothing of others. */
    showsName: async (namespace: string, name: string, signal: AbortSignal): Promise<boolean> => {
      const { secrets } = await page(namespace, { q: name }, signal);
      return secrets.some((secret) => secret.name === name);
    },
    listing: createListing({ list, page, now, readLive }),
    lately: createLately(page),
  };
}

/** The Secrets of namespaces that were changed last, the last one first. */
function createLately(page: ListingDependencies['page']) {
  const query = { sort: 'changed', limit: MOST_CHANGES } as const;
  return async (namespaces: readonly string[], signal: AbortSignal): Promise<SecretList['secrets']> => {
    const requests = namespaces.map((namespace) => page(namespace, query, signal).catch(ignore(403)));
    const lists = await Promise.allSettled(requests);
    const secrets = lists.flatMap((list) => (list.status === 'fulfilled' ? (list.value?.secrets ?? []) : []));
    // With nothing to show, an error leaves open whether there is something; a refusal does not.
    if (secrets.length === 0) await Promise.all(requests);
    return secrets.sort((one, other) => changedMs(other) - changedMs(one)).slice(0, MOST_CHANGES);
  };
}

interface ListingDependencies {
  readonly list: (namespace: string, signal: AbortSignal) => Promise<SecretList>;
  readonly page: (namespace: string, query: PageQuery, signal: AbortSignal) => Promise<SecretList>;
  readonly now: () => number;
  /** Namespaces whose next list is a live one. */
  readonly readLive: Set<string>;
}

/**
 * The whole list, or the first page of one that is long: it has `continue` then, and `total`. Where pages are not to
 * be had, the whole list.
 */
function createListing({ list, page, now, readLive }: ListingDependencies) {
  /** Namespaces whose lists come in pages. */
  const long = new Set<string>();
  let noPagesUntil = 0;
  /** Undefined while the service has no pages: its memory is not up to date, or it keeps no lists. */
  const firstPage = async (namespace: string, signal: AbortSignal): Promise<SecretList | undefined> => {
    if (now() < noPagesUntil) return undefined;
    const first = await page(namespace, {}, signal).catch(ignore(503));
    if (first === undefined) noPagesUntil = now() + REST_MS;
    return first;
  };
  return async (namespace: string, signal: AbortSignal): Promise<SecretList> => {
    // A long list is not collected from the cluster: its pages show the writes of this service at once.
    if (readLive.has(namespace) && !long.has(namespace)) {
      const whole = await list(namespace, signal).catch(ignore(503));
      if (whole !== undefined) return whole;
    }
    const first = await firstPage(namespace, signal);
    const isLong = (first?.total ?? 0) > LONG_LIST;
    if (isLong) long.add(namespace);
    else long.delete(namespace);
    if (first === undefined || (!isLong && first.continue !== undefined)) return list(namespace, signal);
    readLive.delete(namespace);
    return first;
  };
}

/** When a Secret was last changed, in milliseconds, as the service sorts by it: someone may have written no time there. */
export function changedMs({ lastModifiedAt = '', creationTimestamp }: SecretList['secrets'][number]): number {
  const changed = Date.parse(lastModifiedAt);
  return Number.isNaN(changed) ? Date.parse(creationTimestamp) : changed;
}

/**
 * When the cluster looked as an answer says, in milliseconds. `Age` (RFC 9111, section 5.1) comes with a list
 * from the service's memory; without it the response was made at the time of the request.
 */
function asOf(headers: Headers, now: number): number {
  const age = headers.get('age') ?? '';
  return /^\d{1,9}$/.test(age) ? now - Number(age) * 1_000 : now;
}
