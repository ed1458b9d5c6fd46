import { createListReader } from './list-reader.ts';
import type { DeletedSecret, Operations, SecretDetail as WireDetail, SecretSummary } from './schema.ts';
import { createLimit, type ApiClient } from './http-client.ts';

export type { SecretList } from './list-reader.ts';
export type { Config, DeletedSecret, SecretSummary, SessionUser } from './schema.ts';

/** Values by key. A Map, because every name is a fine key, `__proto__` among them. */
export type Values = ReadonlyMap<string, string>;

export interface SplitValues {
  readonly text: Values;
  /** Base64. */
  readonly binary: Values;
}

/** A Secret without its values. */
export type DescribedSecret = SecretSummary & {
  /** What will hardly work although it is stored, in the service's words. */
  readonly warnings: readonly string[];
};

export type SecretDetail = DescribedSecret & SplitValues;

/** The bytes of one value, and the revision that has them. */
export interface KeyValue {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly resourceVersion: string;
}

const NAMED = '/api/namespaces/{namespace}/secrets/{name}';
const DELETED = '/api/namespaces/{namespace}/deleted';
/** The most that a page may have. */
const DELETED_ON_PAGE = 500;
type WireVersion = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}']['answer'];
export type VersionList = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions']['answer'];
export type VersionSummary = VersionList['versions'][number];
export type VersionDetail = Omit<WireVersion['version'], 'data' | 'binaryData'> & SplitValues;
export type Namespaces = Operations['GET /api/namespaces']['answer']['namespaces'];

export type SecretRef = { readonly namespace: string; readonly name: string };

/** A deleted Secret, by the UID that it had. */
export type DeletedRef = { readonly namespace: string; readonly uid: string };

export type NewSecret = NonNullable<Operations['POST /api/namespaces/{namespace}/secrets']['body']>;

/** What is left out stays as it is, and so do the values. */
export type SecretChange = NonNullable<Operations[`PUT ${typeof NAMED}`]['body']>;

/** A change of single values; what is left out stays as it is. */
export type SecretPatch = NonNullable<Operations[`PATCH ${typeof NAMED}`]['body']>;

/**
 * A reviewed restore names the revision that the reviewed version archives, since another state may have its number by
 * now. Its keys go back while the others stay; left out: all.
 */
export type Restore = Operations[`POST ${typeof NAMED}/restore`]['body'] & {
  readonly sourceResourceVersion: string;
};

/** Runs pods that use a Secret. */
export type Consumer = Operations[`GET ${typeof NAMED}/consumers`]['answer']['consumers'][number];
export type ConsumerRef = Pick<Consumer, 'kind' | 'name'>;
export type RestartResult = Operations[`POST ${typeof NAMED}/restart`]['answer'];

/** Why one has access to a Secret, and the rules of its namespace as far as one may know them. */
export type Explanation = Operations[`GET ${typeof NAMED}/access`]['answer'];

export type OwnAccess = Operations['GET /api/access']['answer'];

export type Expiring = Operations['GET /api/expiring']['answer'];
export type SearchAnswer = Operations['GET /api/search']['answer'];

/** Its methods, as `createSecretsApi` makes them. */
export type SecretsApi = ReturnType<typeof createSecretsApi>;

/**
 * The API in the pages' terms: maps for values, one method per route. After a write the next list of its
 * namespace is a live one, so that no one misses what they have just done.
 */
export function createSecretsApi(send: ApiClient, now: () => number) {
  const lists = createListReader(send, now);
  return {
    me: async (signal?: AbortSignal) => (await send('GET /api/auth/me', { signal })).content.user,
    /** Ends the session. Resolves with where to end that of the provider, too, where that is chosen. */
    signOut: async () => (await send('POST /api/auth/logout')).content.redirectTo,
    config: async (signal: AbortSignal) => (await send('GET /api/config', { signal })).content,
    /** For the command that has the verifier of the challenge. */
    terminalCode: async (challenge: string) =>
      (await send('POST /api/auth/code', { query: { code_challenge: challenge } })).content.code,
    namespaces: async (signal: AbortSignal) =>
      (await send('GET /api/namespaces', { signal })).content.namespaces,
    /**
     * Whether one is an administrator. With a namespace: what one may do with those of its Secrets that have no lists of
     * their own, and its rules as far as one may know them.
     */
    access: async (query: { readonly namespace?: string }, signal: AbortSignal) =>
      (await send('GET /api/access', { query, signal })).content,
    /** What has expired or is due in any namespace, or will within 30 days. */
    expiring: async (signal: AbortSignal) =>
      (await send('GET /api/expiring', { query: { within: '30d' }, signal })).content,
    /** @param q words that must each occur */
    search: async (q: string, limit: number, signal: AbortSignal) =>
      (await send('GET /api/search', { query: { q, limit: String(limit) }, signal })).content,
    ...lists,
    ...createSecretReader(send),
    ...createSecretWriter(send, lists.readNextListLive),
  };
}

function createSecretReader(send: ApiClient) {
  const limit = createLimit();
  return {
    describe: async (ref: SecretRef, signal?: AbortSignal): Promise<DescribedSecret> => {
      const { content, headers } = await send(`GET ${NAMED}`, {
        path: ref,
        query: { values: 'false' },
        signal,
      });
      return { ...content.secret, warnings: warningsOf(headers) };
    },
    /** One value, of an archived version or of the live state. Only a few are read at once. */
    readKey: async (ref: SecretRef, key: string, { version, signal }: KeyOptions = {}): Promise<KeyValue> => {
      const route = version === undefined ? '' : '/versions/{version}';
      const { content, headers } = await limit(() => {
        signal?.throwIfAborted();
        const path = { ...ref, key, version: String(version) };
        return send(`GET ${NAMED}${route}/keys/{key}`, { path, signal });
      });
      return { bytes: content, resourceVersion: headers.get('x-resource-version') ?? '' };
    },
    /** With all values: only for what compares them. */
    read: async (ref: SecretRef, signal?: AbortSignal): Promise<SecretDetail> => {
      const { content, headers } = await send(`GET ${NAMED}`, { path: ref, signal });
      // Without `values=false` every read has them.
      if (!('data' in content.secret)) throw new TypeError('a read without values');
      const { rest, values } = split(content.secret);
      return { ...rest, ...values, warnings: warningsOf(headers) };
    },
    versions: async (ref: SecretRef, signal?: AbortSignal) =>
      (await send(`GET ${NAMED}/versions`, { path: ref, signal })).content,
    version: async (ref: SecretRef, version: number, signal?: AbortSignal): Promise<VersionDetail> => {
      const path = { ...ref, version: String(version) };
      const { content } = await send(`GET ${NAMED}/versions/{version}`, { path, signal });
      const { rest, values } = split(content.version);
      return { ...rest, ...values };
    },
    /** A namespace may have more than a page. */
    deleted: async (namespace: string, signal?: AbortSignal): Promise<readonly DeletedSecret[]> => {
      const all: DeletedSecret[] = [];
      let next: { readonly continue?: string } = {};
      do {
        const query = { limit: String(DELETED_ON_PAGE), ...next };
        const { content } = await send(`GET ${DELETED}`, { path: { namespace }, query, signal });
        all.push(...content.deleted);
        next = content.continue === undefined ? {} : { continue: content.continue };
      } while (next.continue !== undefined);
      return all;
    },
    explain: async (ref: SecretRef, signal: AbortSignal) =>
      (await send(`GET ${NAMED}/access`, { path: ref, signal })).content,
    /** @param query that of the route, for the progress of rollouts */
    consumers: async (ref: SecretRef, signal: AbortSignal, query?: { readonly progress: 'true' }) =>
      (await send(`GET ${NAMED}/consumers`, { path: ref, signal, ...(query && { query }) })).content
        .consumers,
  };
}

interface KeyOptions {
  readonly version?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

function createSecretWriter(send: ApiClient, readNextListLive: (namespace: string) => void) {
  const writing: ApiClient = async (operation, options) => {
    // Whatever comes of it: an answer that got lost may have been a success.
    readNextListLive(options?.path?.namespace ?? '');
    return send(operation, options);
  };
  return {
    create: async (namespace: string, body: NewSecret) =>
      (await writing('POST /api/namespaces/{namespace}/secrets', { path: { namespace }, body })).content
        .secret,
    update: async (ref: SecretRef, body: SecretChange): Promise<DescribedSecret> => {
      const { content, headers } = await writing(`PUT ${NAMED}`, { path: ref, body });
      // The contract has the values in this answer; nothing here needs them.
      return { ...split(content.secret).rest, warnings: warningsOf(headers) };
    },
    patch: async (ref: SecretRef, body: SecretPatch): Promise<DescribedSecret> => {
      const { content, headers } = await writing(`PATCH ${NAMED}`, { path: ref, body });
      return { ...content.secret, warnings: warningsOf(headers) };
    },
    /** @param archive so that it can be restored; otherwise its history goes, too */
    remove: async (ref: SecretRef, resourceVersion: string, archive: boolean) => {
      const query = { resourceVersion, keepHistory: String(archive), archive: String(archive) };
      return (await writing(`DELETE ${NAMED}`, { path: ref, query })).content;
    },
    restoreDeleted: async (ref: DeletedRef, name: string) =>
      (await writing(`POST ${DELETED}/{uid}/restore`, { path: ref, body: { name } })).content.secret,
    removeDeleted: async (ref: DeletedRef): Promise<void> => {
      await send(`DELETE ${DELETED}/{uid}`, { path: ref });
    },
    restore: async (ref: SecretRef, body: Restore): Promise<SecretSummary> =>
      split((await writing(`POST ${NAMED}/restore`, { path: ref, body })).content.secret).rest,
    restart: async (ref: SecretRef, consumers: readonly ConsumerRef[]) => {
      const body = { consumers: consumers.map(({ kind, name }) => ({ kind, name })) };
      return (await send(`POST ${NAMED}/restart`, { path: ref, body })).content;
    },
  };
}

function split<Whole extends Pick<WireDetail, 'data' | 'binaryData'>>({ data, binaryData, ...rest }: Whole) {
  const values: SplitValues = {
    text: new Map(Object.entries(data)),
    binary: new Map(Object.entries(binaryData)),
  };
  return { rest, values };
}

/** The texts of a response's `Warning` header, without its codes. */
function warningsOf(headers: Headers): readonly string[] {
  return [...(headers.get('warning') ?? '').matchAll(/299 - "([^"]*)"/g)].map(([, text = '']) => text);
}
