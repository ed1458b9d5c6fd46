import type { Actor } from '../access/actor.ts';
import type { AccessGate } from '../access/authorizer.ts';
import type { Call } from '../timing/deadline.ts';
import type { AnnotationNames } from '../kube/annotation-names.ts';
import { createHistory } from '../history/history.ts';
import type { HistoryIndex } from '../history/snapshot/known-snapshots.ts';
import type { SecretRef } from '../kube/secret.ts';
import { createSecret } from './create-secret.ts';
import { deleteSecret, type DeleteRequest, type DeleteResult } from './delete-secret.ts';
import type { CreateRequest, RestoreRequest, UpdateRequest } from './input.ts';
import { listSecrets, type ListDependencies, type ListRequest, type SecretList } from './list-secrets.ts';
import { createLiveLists } from './live-lists.ts';
import { openSecret, type OpenSecret } from './authorize.ts';
import type { SecretStore } from './ports.ts';
import { restoreSecret } from './restore-secret.ts';
import { detailOf, versionOf, type SecretDetail, type SecretSummary } from './secret-view.ts';
import { updateSecret } from './update-secret.ts';
import { createVersionLists, readVersion, type VersionDetail, type VersionList } from './versions.ts';

/**
 * The use cases around live Secrets. Named ones begin with {@link SecretsService.open}, which reads the live
 * object and lets the actor pass; what is returned there is what the use case works on.
 */
export interface SecretsService {
  list(actor: Actor, namespace: string, request: ListRequest, call: Call): Promise<SecretList>;
  create(actor: Actor, namespace: string, request: () => CreateRequest, call: Call): Promise<SecretSummary>;
  open(actor: Actor, ref: SecretRef, call: Call): Promise<OpenSecret>;
  read(open: OpenSecret): SecretDetail;
  /** The version counter of an open Secret, as the audit log records it. */
  version(open: OpenSecret): number;
  update(open: OpenSecret, request: UpdateRequest, call: Call): Promise<SecretDetail>;
  delete(open: OpenSecret, request: DeleteRequest, call: Call): Promise<DeleteResult>;
  listVersions(open: OpenSecret, call: Call): Promise<VersionList>;
  readVersion(open: OpenSecret, version: number, call: Call): Promise<VersionDetail>;
  restore(open: OpenSecret, request: RestoreRequest, call: Call): Promise<SecretDetail>;
}

export interface SecretsDependencies extends ListDependencies {
  readonly store: SecretStore;
  readonly gate: AccessGate;
  readonly names: AnnotationNames;
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
  const { store, names, historyLimit: limit, historyIndex: index } = given;
  const dependencies = { ...given, history: createHistory({ store, names, limit, index }) };
  const lists = { ...dependencies, liveLists: createLiveLists(dependencies) };
  const versionLists = createVersionLists(dependencies);
  return {
    list: (actor, namespace, request, call) => listSecrets(lists, actor, namespace, request, call),
    create: (actor, namespace, request, call) => createSecret(dependencies, actor, namespace, request, call),
    open: (actor, ref, call) => openSecret(dependencies, actor, ref, call),
    read: ({ live }) => detailOf(live, names),
    version: ({ live }) => versionOf(live, names),
    update: (open, request, call) => updateSecret(dependencies, open, request, call),
    delete: (open, request, call) => deleteSecret(dependencies, open, request, call),
    listVersions: ({ live }, call) => versionLists.join(live, call),
    readVersion: (open, version, call) => readVersion(dependencies, open, version, call),
    restore: (open, request, call) => restoreSecret(dependencies, open, request, call),
  };
}
