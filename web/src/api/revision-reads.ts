import type { KeyValue, SecretRef, SecretsApi, SplitValues } from './secrets-api.ts';
import { NewerVersionError } from './unread-value.ts';

/** Reads values of one revision: those of another are never taken for them. */
export interface RevisionReads {
  readonly readValue: (key: string, signal?: AbortSignal) => Promise<KeyValue['bytes']>;
  /** All values, with one request. */
  readonly readAll: () => Promise<SplitValues>;
}

export interface Revision {
  readonly resourceVersion: string | undefined;
  /** Left out: the live state. */
  readonly version?: number;
  /** Called before a failed read rejects. */
  readonly onError?: (error: unknown) => Promise<void>;
}

export type RevisionApi = Pick<SecretsApi, 'read' | 'readKey' | 'version'>;

/** @throws {NewerVersionError} the Secret, or the version of this number, is another by now */
export function readsOf(api: RevisionApi, { namespace, name }: SecretRef, revision: Revision): RevisionReads {
  const ref = { namespace, name };
  const { resourceVersion, version, onError } = revision;
  const checked = async <Read extends Pick<KeyValue, 'resourceVersion'>>(read: Promise<Read>) => {
    try {
      const found = await read;
      if (found.resourceVersion === resourceVersion) return found;
      throw new NewerVersionError();
    } catch (error) {
      await onError?.(error);
      throw error;
    }
  };
  return {
    readValue: async (key, signal) => (await checked(api.readKey(ref, key, { version, signal }))).bytes,
    readAll: () => (version === undefined ? checked(api.read(ref)) : checked(api.version(ref, version))),
  };
}
