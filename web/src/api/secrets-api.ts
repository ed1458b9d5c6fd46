import { createListReader, type ListReader } from './list-reader.ts';
import type {
  Config,
  DeletedSecret,
  Operations,
  SecretDetail as WireDetail,
  SecretSummary,
  SessionUser,
} from './schema.ts';
import { createLimit, type ApiClient, type ApiResponse } from './http-client.ts';

export type { Expiring, PageQuery, SearchAnswer, SearchQuery, SecretList } from './list-reader.ts';
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
/** Values that are read at once, where all are wanted. */
const KEYS_AT_ONCE = 4;
type WireVersion = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}']['answer'];
export type VersionList = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions']['answer'];
export type VersionSummary = VersionList['versions'][number];
export type VersionDetail = Omit<WireVersion['version'], 'data' | 'binaryData'> & SplitValues;
export type DeleteResult = Operations['DELETE /api/namespaces/{namespace}/secrets/{name}']['answer'];
export type Namespaces = Operations['GET /api/namespaces']['answer']['namespaces'];

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** A deleted Secret, by the UID that it had. */
export interface DeletedRef {
  readonly namespace: string;
  readonly uid: string;
}

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

export interface SecretsApi extends ListReader {
  config(signal: AbortSignal): Promise<Config>;
  me(signal?: AbortSignal): Promise<SessionUser>;
  /** Ends the session. Resolves with where to end that of the provider, too, where that is chosen. */
  signOut(): Promise<string | undefined>;
  /** For the command that has the verifier of the challenge. */
  terminalCode(challenge: string): Promise<string>;
  namespaces(signal: AbortSignal): Promise<Namespaces>;
  describe(ref: SecretRef, signal?: AbortSignal): Promise<DescribedSecret>;
  /** One value, of an archived version or of the live state. Only a few are read at once. */
  readKey(
    ref: SecretRef,
    key: string,
    options?: { readonly version?: number | undefined; readonly signal?: AbortSignal },
  ): Promise<KeyValue>;
  /** With all values: only for what compares them. */
  read(ref: SecretRef, signal?: AbortSignal): Promise<SecretDetail>;
  create(namespace: string, secret: NewSecret): Promise<SecretSummary>;
  update(ref: SecretRef, change: SecretChange): Promise<DescribedSecret>;
  patch(ref: SecretRef, change: SecretPatch): Promise<DescribedSecret>;
  /** @param archive so that it can be restored; otherwise its history goes, too */
  remove(ref: SecretRef, resourceVersion: string, archive: boolean): Promise<DeleteResult>;
  deleted(namespace: string, signal?: AbortSignal): Promise<readonly DeletedSecret[]>;
  restoreDeleted(ref: DeletedRef, name: string): Promise<SecretSummary>;
  removeDeleted(ref: DeletedRef): Promise<void>;
  versions(ref: SecretRef, signal?: AbortSignal): Promise<VersionList>;
  version(ref: SecretRef, version: number, signal?: AbortSignal): Promise<VersionDetail>;
  restore(ref: SecretRef, restore: Restore): Promise<SecretDetail>;
  /**
   * Whether one is an administrator. With a namespace: what one may do with those of its Secrets that have no lists of
   * their own, and its rules as far as one may know them.
   */
  access(query: { readonly namespace?: string }, signal: AbortSignal): Promise<OwnAccess>;
  explain(ref: SecretRef, signal: AbortSignal): Promise<Explanation>;
  /** @param query that of the route, for the progress of rollouts */
  consumers(
    ref: SecretRef,
    signal: AbortSignal,
    query?: { readonly progress: 'true' },
  ): Promise<readonly Consumer[]>;
  restart(ref: SecretRef, consumers: readonly ConsumerRef[]): Promise<RestartResult>;
}

/**
 * The API in the pages' terms: maps for values, one method per route. After a write the next list of its
 * namespace is a live one, so that no one misses what they have just done.
 */
export function createSecretsApi(send: ApiClient, now: () => number): SecretsApi {
  const lists = createListReader(send, now);
  const writing = async <Result>(namespace: string, write: Promise<Result>): Promise<Result> => {
    // Whatever comes of it: an answer that got lost may have been a success.
    lists.readNextListLive(namespace);
    return write;
  };
  return {
    me: async (signal) => (await send('GET /api/auth/me', withSignal(signal))).content.user,
    signOut: async () => (await send('POST /api/auth/logout')).content.redirectTo,
    config: async (signal) => (await send('GET /api/config', { signal })).content,
    terminalCode: async (challenge) =>
      (await send('POST /api/auth/code', { query: { code_challenge: challenge } })).content.code,
    namespaces: async (signal) => (await send('GET /api/namespaces', { signal })).content.namespaces,
    ...lists,
    ...createSecretReader(send),
    create: async (namespace, body) => {
      const request = send('POST /api/namespaces/{namespace}/secrets', { path: { namespace }, body });
      return (await writing(namespace, request)).content.secret;
    },
    update: async (ref, body) => {
      const request = send(`PUT ${NAMED}`, { path: path(ref), body });
      // The contract has the values in this answer; nothing here needs them.
      const { content, headers } = await writing(ref.namespace, request);
      return { ...split(content.secret).rest, warnings: warningsOf(headers) };
    },
    patch: async (ref, body) => {
      const request = send(`PATCH ${NAMED}`, { path: path(ref), body });
      const { content, headers } = await writing(ref.namespace, request);
      return { ...content.secret, warnings: warningsOf(headers) };
    },
    remove: async (ref, resourceVersion, archive) => {
      const query = { resourceVersion, keepHistory: String(archive), archive: String(archive) };
      const request = send(`DELETE ${NAMED}`, { path: path(ref), query });
      return (await writing(ref.namespace, request)).content;
    },
    deleted: (namespace, signal) => allDeleted(send, namespace, signal),
    restoreDeleted: async ({ namespace, uid }, name) => {
      const request = send(`POST ${DELETED}/{uid}/restore`, { path: { namespace, uid }, body: { name } });
      return (await writing(namespace, request)).content.secret;
    },
    removeDeleted: async ({ namespace, uid }) => {
      await send(`DELETE ${DELETED}/{uid}`, { path: { namespace, uid } });
    },
    restore: async (ref, body) => {
      const request = send(`POST ${NAMED}/restore`, { path: path(ref), body });
      return detailOf(await writing(ref.namespace, request));
    },
    access: async (query, signal) => (await send('GET /api/access', { query, signal })).content,
    explain: async (ref, signal) => (await send(`GET ${NAMED}/access`, { path: path(ref), signal })).content,
    consumers: async (ref, signal, query) => {
      const request = { path: path(ref), signal, ...(query && { query }) };
      return (await send(`GET ${NAMED}/consumers`, request)).content.consumers;
    },
    restart: async (ref, consumers) => {
      const body = { consumers: consumers.map(({ kind, name }) => ({ kind, name })) };
      return (await send(`POST ${NAMED}/restart`, { path: path(ref), body })).content;
    },
  };
}

function createSecretReader(
  send: ApiClient,
): Pick<SecretsApi, 'describe' | 'readKey' | 'read' | 'versions' | 'version'> {
  const limit = createLimit(KEYS_AT_ONCE);
  return {
    describe: async (ref, signal) => {
      const request = { path: path(ref), query: { values: 'false' }, ...withSignal(signal) };
      const { content, headers } = await send(`GET ${NAMED}`, request);
      return { ...content.secret, warnings: warningsOf(headers) };
    },
    readKey: async (ref, key, { version, signal } = {}) => {
      const route = version === undefined ? '' : '/versions/{version}';
      const where = { ...path(ref), key, version: String(version) };
      const { content, headers } = await limit(() => {
        signal?.throwIfAborted();
        return send(`GET ${NAMED}${route}/keys/{key}`, { path: where, ...withSignal(signal) });
      });
      return { bytes: content, resourceVersion: headers.get('x-resource-version') ?? '' };
    },
    read: async (ref, signal) =>
      detailOf(withValues(await send(`GET ${NAMED}`, { path: path(ref), ...withSignal(signal) }))),
    versions: async (ref, signal) =>
      (await send(`GET ${NAMED}/versions`, { path: path(ref), ...withSignal(signal) })).content,
    version: async (ref, version, signal) => {
      const where = { ...path(ref), version: String(version) };
      const request = { path: where, ...withSignal(signal) };
      const { rest, values } = split(
        (await send(`GET ${NAMED}/versions/{version}`, request)).content.version,
      );
      return { ...rest, ...values };
    },
  };
}

const path = ({ namespace, name }: SecretRef) => ({ namespace, name });

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

interface DetailResponse {
  readonly content: { readonly secret: WireDetail };
  readonly headers: Headers;
}

function detailOf({ content, headers }: DetailResponse): SecretDetail {
  const { rest, values } = split(content.secret);
  return { ...rest, ...values, warnings: warningsOf(headers) };
}

/** Without `values=false` every read has them. */
function withValues({ content: { secret }, headers }: ApiResponse<`GET ${typeof NAMED}`>): DetailResponse {
  if (!('data' in secret)) throw new TypeError('a read without values');
  return { content: { secret }, headers };
}

type WireValues = Pick<WireDetail, 'data' | 'binaryData'>;

function split<Whole extends WireValues>(whole: Whole) {
  const { data, binaryData, ...rest } = whole;
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

/** A namespace may have more than a page. */
async function allDeleted(
  send: ApiClient,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<readonly DeletedSecret[]> {
  const pageOf = async (next: { readonly continue?: string }) => {
    const query = { limit: String(DELETED_ON_PAGE), ...next };
    return (await send(`GET ${DELETED}`, { path: { namespace }, query, ...withSignal(signal) })).content;
  };
  let page = await pageOf({});
  const deleted = [...page.deleted];
  while (page.continue !== undefined) {
    page = await pageOf({ continue: page.continue });
    deleted.push(...page.deleted);
  }
  return deleted;
}
