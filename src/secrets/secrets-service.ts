import type { Actor } from '../access/actor.ts';
import type { AccessLevel } from '../contract/access-rules.ts';
import type { Deadline } from '../timing/deadline.ts';
import { createSecret, restoreDeleted } from './create-secret.ts';
import { deleteSecret } from './delete-secret.ts';
import type { UpdateRequest } from './input.ts';
import {
  authorizeSecret,
  type AuthorizedSecret,
  type WantedSecret,
  authorizeDeleted,
  requireLiveGone,
  type AuthorizedDeleted,
} from './authorize.ts';
import type { SecretsDependencies } from './ports.ts';
import { describedOf, detailOf, keyValueOf } from './secret-view.ts';
import { levelOfUpdate, restoreSecret, updateSecret } from './update-secret.ts';
import { createVersionLists, readVersion, readVersionKey } from './versions.ts';
import { createDeletedPages } from './deleted-secrets.ts';

export type SecretsService = ReturnType<typeof createSecretsService>;

/**
 * The use cases of live Secrets. Those of a named Secret begin with `authorize`, which reads the live object and checks
 * access; the use case takes its result.
 */
export function createSecretsService(dependencies: SecretsDependencies) {
  const { now } = dependencies;
  const versionLists = createVersionLists(dependencies);
  return {
    create: createSecret.bind(undefined, dependencies),
    authorize: <Level extends AccessLevel>(actor: Actor, wanted: WantedSecret<Level>, deadline: Deadline) =>
      authorizeSecret(dependencies, actor, wanted, deadline),
    read: ({ live }: AuthorizedSecret) => detailOf(live, now()),
    describe: ({ live }: AuthorizedSecret) => describedOf(live, now()),
    readKey: ({ live }: AuthorizedSecret, key: string) => keyValueOf(live, key),
    /** The level that an update needs. */
    updateLevel: ({ live }: AuthorizedSecret, request: UpdateRequest) => levelOfUpdate(live.managed, request),
    update: updateSecret.bind(undefined, dependencies),
    delete: deleteSecret.bind(undefined, dependencies),
    listVersions: ({ live }: AuthorizedSecret, deadline: Deadline) => versionLists.join(live, deadline),
    readVersion: readVersion.bind(undefined, dependencies),
    readVersionKey: readVersionKey.bind(undefined, dependencies),
    restore: restoreSecret.bind(undefined, dependencies),
    /** Around Secrets that were deleted and archived. */
    deleted: {
      /** Those that the actor may see, the last deletion first. */
      list: createDeletedPages(dependencies),
      authorize: authorizeDeleted.bind(undefined, dependencies),
      restore: restoreDeleted.bind(undefined, dependencies),
      remove: removeDeleted.bind(undefined, dependencies),
    },
  };
}

/**
 * By the steps of a cleaning deletion, where the live Secret must be gone before each step. The final snapshot is the
 * newest and goes last: what fails halfway can be requested again.
 * @throws {ServiceError} `conflict` or `historyUnavailable`
 */
async function removeDeleted(
  { store, history }: SecretsDependencies,
  { final }: AuthorizedDeleted,
  deadline: Deadline,
): Promise<{ readonly name: string; readonly uid: string; readonly history: 'cleaned' }> {
  const { of: name, uid, stored } = final;
  const requireGone = () => requireLiveGone(store, final, deadline);
  await requireGone();
  await history.clean({ namespace: stored.namespace, name, uid }, requireGone, deadline);
  return { name, uid, history: 'cleaned' };
}
