import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Call } from '../timing/deadline.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { type HistoryIndex, createHistory } from '../history/history.ts';
import type { SecretRef } from '../kube/secret.ts';
import { createSecret } from './create-secret.ts';
import { deleteSecret, type DeleteRequest, type DeleteResult } from './delete-secret.ts';
import type { CreateRequest, RestoreRequest, UpdateRequest } from './input.ts';
import { listSecrets, type ListDependencies, type ListRequest, type SecretList } from './list-secrets.ts';
import { createLiveLists } from './live-lists.ts';
import { authorizeSecret, type AuthorizedSecret } from './authorize.ts';
import type { SecretStore } from './ports.ts';
import { restoreSecret } from './restore-secret.ts';
import { detailOf, type SecretDetail, type SecretSummary } from './secret-view.ts';
import { updateSecret } from './update-secret.ts';
import { createVersionLists, readVersion, type VersionDetail, type VersionList } from './versions.ts';

/**
 * The use cases around live Secrets. Named ones begin with {@link SecretsService.authorize}, which reads the live
 * object and lets the actor pass; what is returned there is what the use case works on.
 */
export interface SecretsService {
  list(actor: Actor, namespace: string, request: ListRequest, call: Call): Promise<SecretList>;
  create(actor: Actor, namespace: string, request: () => CreateRequest, call: Call): Promise<SecretSummary>;
  authorize(actor: Actor, ref: SecretRef, call: Call): Promise<AuthorizedSecret>;
  read(authorized: AuthorizedSecret): SecretDetail;
  /** The version counter of an authorized Secret, as the audit log records it. */
  version(authorized: AuthorizedSecret): number;
  update(authorized: AuthorizedSecret, request: UpdateRequest, call: Call): Promise<SecretDetail>;
  delete(authorized: AuthorizedSecret, request: DeleteRequest, call: Call): Promise<DeleteResult>;
  listVersions(authorized: AuthorizedSecret, call: Call): Promise<VersionList>;
  readVersion(authorized: AuthorizedSecret, version: number, call: Call): Promise<VersionDetail>;
  restore(authorized: AuthorizedSecret, request: RestoreRequest, call: Call): Promise<SecretDetail>;
}

export interface SecretsDependencies extends ListDependencies {
  readonly store: SecretStore;
  readonly authorizer: Authorizer;
  readonly codec: AnnotationCodec;
  readonly managedOnly: boolean;
  /** Snapshots kept per live Secret. */
  readonly historyLimit: number;
  /** What this replica's watch knows of the history. */
  readonly historyIndex: HistoryIndex | undefined;
  /** Counts a request that is refused because too many of its kind wait. */
  readonly countRefusal: (bound: 'live_lists' | 'version_lists') => void;
  readonly now: () => Date;
}

export function createSecretsService(given: SecretsDependencies): SecretsService {
  const { store, codec, historyLimit: limit, historyIndex: index } = given;
  const dependencies = { ...given, history: createHistory({ store, codec, limit, index }) };
  const lists = { ...dependencies, liveLists: createLiveLists(dependencies) };
  const versionLists = createVersionLists(dependencies);
  return {
    list: (actor, namespace, request, call) => listSecrets(lists, actor, { namespace, ...request }, call),
    create: (actor, namespace, request, call) =>
      createSecret(dependencies, actor, { namespace, request }, call),
    authorize: (actor, ref, call) => authorizeSecret(dependencies, actor, ref, call),
    read: ({ live }) => detailOf(live),
    version: ({ live }) => live.managed.version,
    update: (authorized, request, call) => updateSecret(dependencies, authorized, request, call),
    delete: (authorized, request, call) => deleteSecret(dependencies, authorized, request, call),
    listVersions: ({ live }, call) => versionLists.join(live, call),
    readVersion: (authorized, version, call) => readVersion(dependencies, authorized, version, call),
    restore: (authorized, request, call) => restoreSecret(dependencies, authorized, request, call),
  };
}
