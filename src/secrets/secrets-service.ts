import type { Actor } from '../access/actor.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { AccessLevel } from '../contract/access-rules.ts';
import type { Clock } from '../timing/clock.ts';
import type { Deadline } from '../timing/deadline.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { type HistoryIndex, createHistory } from '../history/history.ts';
import type { Seal } from './seal.ts';
import { createSecret } from './create-secret.ts';
import { createDeletedSecrets, type DeletedSecrets } from './deleted-secrets.ts';
import { deleteSecret, type DeleteRequest, type DeleteResult } from './delete-secret.ts';
import type { CreateRequest, RestoreRequest, UpdateRequest } from './input.ts';
import { authorizeSecret, type AuthorizedSecret, type UpTo, type WantedSecret } from './authorize.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { keyValueOf, type KeyValue } from './key-value.ts';
import type { SecretStore } from './ports.ts';
import { restoreSecret } from './restore-secret.ts';
import { describedOf, detailOf, type DescribedSecret, type SecretDetail } from './secret-view.ts';
import { levelOfUpdate, updateSecret } from './update-secret.ts';
import {
  createVersionLists,
  readVersion,
  readVersionKey,
  type VersionDetail,
  type VersionList,
} from './versions.ts';

/**
 * The use cases of live Secrets. Those of a named Secret begin with {@link SecretsService.authorize}, which reads the
 * live object and checks access; the use case takes its result.
 */
export interface SecretsService {
  create(
    actor: Actor,
    namespace: NamespaceInScope,
    request: () => CreateRequest,
    deadline: Deadline,
  ): Promise<DescribedSecret>;
  authorize<Level extends AccessLevel>(
    actor: Actor,
    wanted: WantedSecret<Level>,
    deadline: Deadline,
  ): Promise<AuthorizedSecret<UpTo<Level>>>;
  read(authorized: AuthorizedSecret): SecretDetail;
  describe(authorized: AuthorizedSecret): DescribedSecret;
  readKey(authorized: AuthorizedSecret, key: string): KeyValue;
  /** The version counter of an authorized Secret, as the audit log records it. */
  version(authorized: AuthorizedSecret): number;
  /** The level that an update needs. */
  updateLevel(authorized: AuthorizedSecret, request: UpdateRequest): 'write' | 'manage';
  update(
    authorized: AuthorizedSecret<'write'>,
    request: UpdateRequest,
    deadline: Deadline,
  ): Promise<SecretDetail>;
  delete(
    authorized: AuthorizedSecret<'manage'>,
    request: DeleteRequest,
    deadline: Deadline,
  ): Promise<DeleteResult>;
  listVersions(authorized: AuthorizedSecret, deadline: Deadline): Promise<VersionList>;
  readVersion(authorized: AuthorizedSecret, version: number, deadline: Deadline): Promise<VersionDetail>;
  readVersionKey(
    authorized: AuthorizedSecret,
    version: number,
    key: string,
    deadline: Deadline,
  ): Promise<KeyValue>;
  restore(
    authorized: AuthorizedSecret<'write'>,
    request: RestoreRequest,
    deadline: Deadline,
  ): Promise<SecretDetail>;
  readonly deleted: DeletedSecrets;
}

export interface SecretsDependencies {
  readonly store: SecretStore;
  /** The same Secrets without notes for the list cache, which has no snapshots. */
  readonly historyStore: SnapshotStore;
  readonly authorizer: Authorizer;
  readonly codec: AnnotationCodec;
  readonly managedOnly: boolean;
  /** Snapshots kept per live Secret. */
  readonly historyLimit: number;
  /** How long snapshots without a live Secret are kept; undefined for ever. */
  readonly orphanTtlMs: number | undefined;
  /** The history in this replica's watch. */
  readonly historyIndex: HistoryIndex | undefined;
  /** A monotonic clock. */
  readonly clock: Pick<Clock, 'now'>;
  /** Seals what clients hand back. */
  readonly tokenSeal: Seal;
  /** Counts a request that is refused because too many of its kind are waiting. */
  readonly countRefusal: (bound: 'version_lists' | 'deleted_lists') => void;
  readonly now: () => Date;
}

export function createSecretsService(given: SecretsDependencies): SecretsService {
  const { historyStore: store, codec, historyLimit: limit, historyIndex: index } = given;
  const dependencies = { ...given, history: createHistory({ store, codec, limit, index }) };
  const versionLists = createVersionLists(dependencies);
  return {
    create: (actor, namespace, request, deadline) =>
      createSecret(dependencies, { actor, namespace, request }, deadline),
    authorize: (actor, wanted, deadline) => authorizeSecret(dependencies, actor, wanted, deadline),
    read: ({ live }) => detailOf(live, given.now()),
    describe: ({ live }) => describedOf(live, given.now()),
    readKey: ({ live }, key) => keyValueOf(live, key),
    version: ({ live }) => live.managed.version,
    updateLevel: ({ live }, request) => levelOfUpdate(live.managed, request),
    update: (authorized, request, deadline) => updateSecret(dependencies, authorized, request, deadline),
    delete: (authorized, request, deadline) => deleteSecret(dependencies, authorized, request, deadline),
    listVersions: ({ live }, deadline) => versionLists.join(live, deadline),
    readVersion: (authorized, version, deadline) => readVersion(dependencies, authorized, version, deadline),
    readVersionKey: (authorized, version, key, deadline) =>
      readVersionKey(dependencies, authorized, { version, key }, deadline),
    restore: (authorized, request, deadline) => restoreSecret(dependencies, authorized, request, deadline),
    deleted: createDeletedSecrets(dependencies),
  };
}
