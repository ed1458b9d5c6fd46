import type { Actor } from '../access/actor.ts';
import type { NamespaceInScope } from '../access/namespace-scope.ts';
import type { Deadline } from '../timing/deadline.ts';
import {
  authorizeDeleted,
  requireLiveGone,
  type AuthorizedDeleted,
  type DeletedRef,
} from './authorize-deleted.ts';
import { createDeletedLists, type DeletedListDependencies } from './deleted-list.ts';
import { createCutDeletedPage, type DeletedPage, type DeletedPageRequest } from './deleted-page.ts';
import { openPosition, sealPosition } from './deleted-position.ts';
import {
  restoreDeleted,
  type RestoreDeletedDependencies,
  type RestoreDeletedRequest,
} from './restore-deleted.ts';
import { historyUnavailable, type History } from '../history/history.ts';
import type { DescribedSecret } from './secret-view.ts';
import type { Seal } from './seal.ts';

/** What was removed. */
export interface RemovedSecret {
  readonly name: string;
  readonly uid: string;
  readonly history: 'cleaned';
}

/** The use cases around Secrets that were deleted and archived. */
export interface DeletedSecrets {
  /** Those that the actor may see, the last deletion first. */
  list(
    actor: Actor,
    namespace: NamespaceInScope,
    request: DeletedPageRequest,
    deadline: Deadline,
  ): Promise<DeletedPage>;
  authorize(actor: Actor, ref: DeletedRef, deadline: Deadline): Promise<AuthorizedDeleted>;
  restore(
    deleted: AuthorizedDeleted,
    request: () => RestoreDeletedRequest,
    deadline: Deadline,
  ): Promise<DescribedSecret>;
  /** Removes all snapshots of the UID. */
  remove(deleted: AuthorizedDeleted, deadline: Deadline): Promise<RemovedSecret>;
}

export type DeletedSecretsDependencies = DeletedListDependencies &
  RestoreDeletedDependencies & { readonly history: Pick<History, 'clean'>; readonly tokenSeal: Seal };

export function createDeletedSecrets(dependencies: DeletedSecretsDependencies): DeletedSecrets {
  const { authorizer, tokenSeal } = dependencies;
  const lists = createDeletedLists(dependencies);
  const cutPage = createCutDeletedPage(dependencies);
  return {
    async list(actor, namespace, { limit, token }, deadline) {
      const from = openPosition(tokenSeal, token, actor, namespace);
      const { finals, isDetailed, resourceVersion } = await lists.join(namespace, deadline);
      if (limit === undefined && !isDetailed) throw historyUnavailable('deletedOverBudget');
      const listed = { live: true, newest: resourceVersion };
      const access = await authorizer.forList(actor, namespace, listed, deadline);
      const { deleted, last } = await cutPage({ finals, access, from, limit }, deadline);
      return { deleted, continue: last && sealPosition(tokenSeal, last, actor, namespace) };
    },
    authorize: (actor, ref, deadline) => authorizeDeleted(dependencies, actor, ref, deadline),
    restore: (deleted, request, deadline) => restoreDeleted(dependencies, deleted, request, deadline),
    remove: (deleted, deadline) => removeDeleted(dependencies, deleted, deadline),
  };
}

/**
 * By the steps of a cleaning deletion, where the live Secret must be gone before each step. The final snapshot is the
 * newest and goes last: what fails halfway can be requested again.
 * @throws {ServiceError} `conflict` or `historyUnavailable`
 */
async function removeDeleted(
  { store, history }: DeletedSecretsDependencies,
  { final }: AuthorizedDeleted,
  deadline: Deadline,
): Promise<RemovedSecret> {
  const { of: name, uid, stored } = final;
  const requireGone = () => requireLiveGone(store, final, deadline);
  await requireGone();
  await history.clean({ namespace: stored.namespace, name, uid }, requireGone, deadline);
  return { name, uid, history: 'cleaned' };
}
