import type { Operations, SecretDetail as WireDetail, SecretSummary, SessionUser } from './schema.ts';
import type { Call } from './wire.ts';

export type { Config, SecretSummary, SessionUser } from './schema.ts';

/** Values by key. A Map, because every name is a fine key, `__proto__` among them. */
export type Values = ReadonlyMap<string, string>;

export interface SplitValues {
  readonly text: Values;
  /** Base64. */
  readonly binary: Values;
}

export type SecretDetail = Omit<WireDetail, 'data' | 'binaryData'> & SplitValues;

const NAMED = '/api/namespaces/{namespace}/secrets/{name}';
type WireVersion = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions/{version}']['answer'];
export type VersionList = Operations['GET /api/namespaces/{namespace}/secrets/{name}/versions']['answer'];
export type VersionSummary = VersionList['versions'][number];
export type VersionDetail = Omit<WireVersion['version'], 'data' | 'binaryData'> & SplitValues;
export type SecretList = Operations['GET /api/namespaces/{namespace}/secrets']['answer'];
export type DeleteResult = Operations['DELETE /api/namespaces/{namespace}/secrets/{name}']['answer'];
export type Namespaces = Operations['GET /api/namespaces']['answer']['namespaces'];

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

export interface Access {
  readonly description?: string;
  readonly allowedGroups?: readonly string[];
  readonly allowedUsers?: readonly string[];
}

export interface NewSecret extends Access {
  readonly name: string;
  readonly type: string;
  readonly data: Values;
}

/** What is left out stays as it is. */
export interface SecretChange extends Access {
  readonly resourceVersion: string;
  readonly data?: Values;
  readonly recoverCounter?: true;
}

export interface Restore {
  readonly resourceVersion: string;
  readonly version: number;
  readonly recoverCounter?: true;
}

export interface SecretsApi {
  me(signal?: AbortSignal): Promise<SessionUser>;
  signOut(): Promise<void>;
  namespaces(signal: AbortSignal): Promise<Namespaces>;
  list(namespace: string, signal: AbortSignal): Promise<SecretList>;
  read(ref: SecretRef, signal?: AbortSignal): Promise<SecretDetail>;
  create(namespace: string, secret: NewSecret): Promise<SecretSummary>;
  update(ref: SecretRef, change: SecretChange): Promise<SecretDetail>;
  remove(ref: SecretRef, resourceVersion: string, keepHistory: boolean): Promise<DeleteResult>;
  versions(ref: SecretRef, signal: AbortSignal): Promise<VersionList>;
  version(ref: SecretRef, version: number, signal: AbortSignal): Promise<VersionDetail>;
  restore(ref: SecretRef, restore: Restore): Promise<SecretDetail>;
}

/** The API in the pages' terms: maps for values, one method per route. */
export function createSecretsApi(call: Call): SecretsApi {
  const path = ({ namespace, name }: SecretRef) => ({ namespace, name });
  return {
    me: async (signal) => (await call('GET /api/auth/me', withSignal(signal))).user,
    signOut: async () => {
      await call('POST /api/auth/logout');
    },
    namespaces: async (signal) => (await call('GET /api/namespaces', { signal })).namespaces,
    list: (namespace, signal) =>
      call('GET /api/namespaces/{namespace}/secrets', { path: { namespace }, signal }),
    read: async (ref, signal) =>
      split((await call(`GET ${NAMED}`, { path: path(ref), ...withSignal(signal) })).secret),
    create: async (namespace, { data, ...rest }) => {
      const body = { ...rest, data: Object.fromEntries(data) };
      return (await call('POST /api/namespaces/{namespace}/secrets', { path: { namespace }, body })).secret;
    },
    update: async (ref, { data, ...rest }) => {
      const body = { ...rest, ...(data === undefined ? {} : { data: Object.fromEntries(data) }) };
      return split((await call(`PUT ${NAMED}`, { path: path(ref), body })).secret);
    },
    remove: (ref, resourceVersion, keepHistory) => {
      const query = { resourceVersion, keepHistory: String(keepHistory) };
      return call(`DELETE ${NAMED}`, { path: path(ref), query });
    },
    versions: (ref, signal) => call(`GET ${NAMED}/versions`, { path: path(ref), signal }),
    version: async (ref, version, signal) => {
      const where = { ...path(ref), version: String(version) };
      return split((await call(`GET ${NAMED}/versions/{version}`, { path: where, signal })).version);
    },
    restore: async (ref, body) =>
      split((await call(`POST ${NAMED}/restore`, { path: path(ref), body })).secret),
  };
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

type WireValues = Pick<WireDetail, 'data' | 'binaryData'>;

function split<Whole extends WireValues>(whole: Whole): Omit<Whole, keyof WireValues> & SplitValues {
  const { data, binaryData, ...rest } = whole;
  return { ...rest, text: new Map(Object.entries(data)), binary: new Map(Object.entries(binaryData)) };
}
