import { ApiError, type ApiClient, type RequestOptions } from './http-client.ts';
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
export type SearchAnswer = Operations['GET /api/search']['answer'];
export type Expiring = Operations['GET /api/expiring']['answer'];

/** Of a list, or of the pages of a long one. */
export function secretsIn(
  data: SecretList | { readonly pages: readonly SecretList[] } | undefined,
): SecretList['secrets'] {
  if (data === undefined) return [];
  return 'pages' in data ? data.pages.flatMap((page) => page.secrets) : data.secrets;
}

export interface SearchQuery {
  /** Words that must each occur. */
  readonly q: string;
  readonly type?: string;
  readonly limit: number;
}

export interface PageQuery {
  /** Words that must each occur. */
  readonly q: string;
  readonly sort: 'name' | 'changed';
  /** What the page before gave; empty for the first. */
  readonly token: string;
  /** Left out: as many as there can be. */
  readonly limit?: number;
}

export interface ListReader {
  list(namespace: string, signal: AbortSignal): Promise<SecretList>;
  /**
   * The whole list, or the first page of one that is long: it has `continue` then, and `total`. Where pages are not to
   * be had, the whole list.
   */
  listing(namespace: string, signal: AbortSignal): Promise<SecretList>;
  /** How many Secrets the list has. */
  count(namespace: string, signal: AbortSignal): Promise<number>;
  page(namespace: string, query: PageQuery, signal: AbortSignal): Promise<SecretList>;
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>;
  /** What has expired or is due in any namespace, or will within 30 days. */
  expiring(signal: AbortSignal): Promise<Expiring>;
  /** The Secrets of these namespaces that were changed last, the last one first. */
  lately(namespaces: readonly string[], signal: AbortSignal): Promise<SecretList['secrets']>;
  /** Whether a Secret that the reader may see has this name, from the service's memory. False says nothing of others. */
  showsName(
    ref: { readonly namespace: string; readonly name: string },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The next list of the namespace is read from the cluster, not from the service's cache. */
  readNextListLive(namespace: string): void;
}

/** Reads lists, from the service's cache unless the next list of the namespace has to be a live one. */
export function createListReader(send: ApiClient, now: () => number): ListReader {
  const readLive = new Set<string>();
  const request = async (
    namespace: string,
    options: Omit<RequestOptions<typeof LIST>, 'path'>,
  ): Promise<SecretList> => {
    const { content, headers } = await send(LIST, { path: { namespace }, ...options });
    return { ...content, asOf: asOf(headers, now()) };
  };
  const list: ListReader['list'] = async (namespace, signal) => {
    const live = readLive.delete(namespace);
    try {
      return await request(namespace, { signal, mayBeCached: !live });
    } catch (error) {
      if (live) readLive.add(namespace);
      throw error;
    }
  };
  const page: ListReader['page'] = (namespace, { q, sort, token, limit = PAGE_SIZE }, signal) =>
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
    readNextListLive: (namespace) => void readLive.add(namespace),
    list,
    page,
    count: async (namespace, signal) => {
      const { total, secrets } = await request(namespace, {
        signal,
        mayBeCached: true,
        query: { limit: '1' },
      });
      return total ?? secrets.length;
    },
    showsName: async ({ namespace, name }, signal) => {
      const { secrets } = await page(namespace, { q: name, sort: 'name', token: '' }, signal);
      return secrets.some((secret) => secret.name === name);
    },
    listing: createListing({ list, page, now, readLive }),
    lately: async (namespaces, signal) => {
      const options = { signal, mayBeCached: true, query: { limit: String(MOST_CHANGES), sort: 'changed' } };
      // Of a namespace whose rules exclude one, or cannot be read, there is nothing to show.
      const lists = await Promise.allSettled(namespaces.map((namespace) => request(namespace, options)));
      const secrets = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.secrets : []));
      return secrets.sort((one, other) => changedMs(other) - changedMs(one)).slice(0, MOST_CHANGES);
    },
    expiring: async (signal) =>
      (await send('GET /api/expiring', { query: { within: '30d' }, signal })).content,
    search: async ({ limit, ...words }, signal) =>
      (await send('GET /api/search', { query: { ...words, limit: String(limit) }, signal })).content,
  };
}

interface ListingDependencies extends Pick<ListReader, 'list' | 'page'> {
  readonly now: () => number;
  /** Namespaces whose next list is a live one. */
  readonly readLive: Set<string>;
}

/** The whole list, or the first page of a long one. */
function createListing({ list, page, now, readLive }: ListingDependencies): ListReader['listing'] {
  /** Namespaces whose lists come in pages. */
  const long = new Set<string>();
  let noPagesUntil = 0;
  /** Undefined while the service has no pages: its memory is not up to date, or it keeps no lists. */
  const firstPage = async (namespace: string, signal: AbortSignal): Promise<SecretList | undefined> => {
    if (now() < noPagesUntil) return undefined;
    const first = await page(namespace, FIRST_PAGE, signal).catch(unavailable);
    if (first === undefined) noPagesUntil = now() + REST_MS;
    return first;
  };
  return async (namespace, signal) => {
    // A long list is not collected from the cluster: its pages show the writes of this service at once.
    if (readLive.has(namespace) && !long.has(namespace)) {
      const whole = await list(namespace, signal).catch(unavailable);
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

function unavailable(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 503) return undefined;
  throw error;
}

const FIRST_PAGE: PageQuery = { q: '', sort: 'name', token: '' };

/**
 * When the cluster looked as an answer says, in milliseconds. `Age` (RFC 9111, section 5.1) comes with a list
 * from the service's memory; without it the response was made at the time of the request.
 */
function asOf(headers: Headers, now: number): number {
  const age = headers.get('age') ?? '';
  return /^\d{1,9}$/.test(age) ? now - Number(age) * 1_000 : now;
}
