import type { Actor } from '../access/actor.ts';
import type { AccessGate } from '../access/gate.ts';
import type { Call } from '../calls/call.ts';
import { HISTORY_KIND, type AnnotationNames } from '../history/annotation-names.ts';
import { collectAll } from '../history/collect.ts';
import type { SnapshotStore } from '../history/ports.ts';
import { claimsToBeHistory } from '../history/snapshot.ts';
import { accessRulesOf, isManaged, summaryOf, type SecretSummary } from './secret-view.ts';

export interface SecretList {
  readonly namespace: string;
  /** Ordered by name. */
  readonly secrets: readonly SecretSummary[];
  /** A hint from the namespace rules; creating asks again. */
  readonly canCreate: boolean;
}

export interface ListDependencies {
  readonly store: Pick<SnapshotStore, 'listPage'>;
  readonly gate: AccessGate;
  readonly names: AnnotationNames;
  readonly managedOnly: boolean;
}

/**
 * The live Secrets of a namespace that the actor may see, collected completely or not at all. The
 * selector keeps snapshots out at the cluster; what an object says of itself is checked here as well.
 * @throws {ServiceError} `forbidden` (scope), `policyUnavailable`, `listFailed`, `listInconsistent` or `listOverBudget`
 */
export async function listSecrets(
  { store, gate, names, managedOnly }: ListDependencies,
  actor: Actor,
  namespace: string,
  call: Call,
): Promise<SecretList> {
  gate.requireScope(namespace);
  const access = await gate.forList(actor, namespace, call);
  const objects = await collectAll(store, namespace, `${names.kind}!=${HISTORY_KIND}`, call);
  const visible = objects
    .filter((secret) => !claimsToBeHistory(secret, names))
    .filter((secret) => !managedOnly || isManaged(secret, names))
    .filter((secret) => access.isVisible(accessRulesOf(secret, names)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    namespace,
    secrets: visible.map((secret) => summaryOf(secret, names)),
    canCreate: access.canCreate,
  };
}
