import { createHash } from 'node:crypto';
import { isListOfTexts, jsonOrUndefined } from '../../contract/json-text.ts';
import { isServiceError, ServiceError } from '../../errors/service-error.ts';
import type { LeaseStore, LeaseTerm, ListedLease } from '../../kube/lease.ts';
import type { Deadline } from '../../timing/deadline.ts';

/** Where the service runs. */
export interface Home {
  /** The namespace of the pod, or of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly inCluster: boolean;
}

/** The namespaces in scope: those that it names, or all without some. */
export type InstallationScope =
  | { readonly named: readonly string[] }
  | { readonly named?: undefined; readonly without: readonly string[] };

/** What the replicas of one installation share, as their Lease records it. */
export interface Installation {
  readonly prefix: string;
  readonly scope: InstallationScope;
  /** Snapshots kept per live Secret. */
  readonly limit: number;
}

export type LeaseName = Pick<ListedLease, 'namespace' | 'name'>;

/** The annotations of the Lease, whose keys no setting changes: the prefix of all other annotations and labels, … */
export const PREFIX_RECORD = 'secrets-management-service/annotation-prefix';
const SCOPE_RECORD = 'secrets-management-service/scope';
const LIMIT_RECORD = 'secrets-management-service/history-limit';

const LEASE_NAME = 'secrets-management-service-history-';

/**
 * The Lease of an installation: in the pod's own namespace; outside a cluster in the first namespace of the scope, where
 * the service has permissions, or in the context's. Installations with different scopes do not share a Lease. Those with
 * different annotation prefixes do, since the Lease records the prefix.
 */
export function leaseOf({ named }: InstallationScope, { namespace, inCluster }: Home): LeaseName {
  const own = inCluster ? namespace : undefined;
  // The first item is the name that Leases have had since the first release.
  const scope = JSON.stringify(['service.io', named ?? null]);
  const digest = createHash('sha256').update(scope).digest('hex').slice(0, 8);
  return { namespace: own ?? named?.[0] ?? namespace ?? 'default', name: `${LEASE_NAME}${digest}` };
}

export const isHistoryLease = ({ name }: LeaseName): boolean => name.startsWith(LEASE_NAME);

/** The annotations of the Lease during a term. A prefix that is recorded stays. */
export function recordsOf(
  { prefix, scope, limit }: Installation,
  recorded: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([
    [PREFIX_RECORD, prefix],
    ...recorded,
    [SCOPE_RECORD, JSON.stringify(scope)],
    [LIMIT_RECORD, String(limit)],
  ]);
}

/** Undefined if the records are incomplete or malformed, as those of earlier releases. */
export function readRecords(annotations: ReadonlyMap<string, string>): Installation | undefined {
  const prefix = annotations.get(PREFIX_RECORD);
  const scope = parseScope(annotations.get(SCOPE_RECORD) ?? '');
  const limit = Number(annotations.get(LIMIT_RECORD));
  if (prefix === undefined || scope === undefined || !Number.isSafeInteger(limit)) return undefined;
  return { prefix, scope, limit };
}

/** Anyone may have written it. */
function parseScope(text: string): InstallationScope | undefined {
  const { named, without } = (jsonOrUndefined(text) ?? {}) as { named?: unknown; without?: unknown };
  if (isListOfTexts(named)) return { named };
  return isListOfTexts(without) ? { without } : undefined;
}

export function covers(scope: InstallationScope, namespace: string): boolean {
  return scope.named === undefined ? !scope.without.includes(namespace) : scope.named.includes(namespace);
}

export function overlap(one: InstallationScope, other: InstallationScope): boolean {
  if (one.named !== undefined) return one.named.some((namespace) => covers(other, namespace));
  return other.named === undefined || other.named.some((namespace) => covers(one, namespace));
}

/** Each failed attempt means that another replica has written, so one replica succeeds each time. */
const MAX_TRIES = 8;

/** A prefix, and the Lease that records it. */
type RecordedPrefix = LeaseName & { readonly prefix: string };

export interface PrefixSource {
  readonly own: Pick<Installation, 'prefix' | 'scope'>;
  readonly lease: LeaseStore;
  /** Where the Lease is. */
  readonly of: LeaseName;
}

/**
 * Reads the recorded prefix, or records the own one if there is none. If replicas with different prefixes do so at the
 * same time, the Lease's revision lets one succeed, and the others read its prefix.
 * @throws {ServiceError} when the Lease cannot be read or written
 */
export async function recordedPrefix(
  source: PrefixSource,
  wallNow: () => number,
  deadline: Deadline,
): Promise<RecordedPrefix> {
  const { own, lease, of } = source;
  for (let tries = 1; ; tries++) {
    const current = await lease.read(deadline);
    const known = current?.annotations.get(PREFIX_RECORD);
    if (known !== undefined) return { prefix: known, ...of };
    const other = await otherPrefix(source, deadline);
    if (other !== undefined) return other;
    const annotations = new Map([...(current?.annotations ?? []), [PREFIX_RECORD, own.prefix] as const]);
    // Who holds it goes on.
    const term = current === undefined || current.holder === '' ? termOfNoOne(wallNow()) : current;
    try {
      if (current === undefined) await lease.create(term, annotations, deadline);
      else await lease.replace({ ...current, annotations }, term, deadline);
      return { prefix: own.prefix, ...of };
    } catch (error) {
      const codes = current === undefined ? (['exists'] as const) : (['conflict', 'notFound'] as const);
      if (tries === MAX_TRIES || !isServiceError(error, ...codes)) throw error;
    }
  }
}

/**
 * Another prefix over some of the same namespaces, on the Lease of an installation that runs or once ran in the service's
 * own namespace. A Lease elsewhere is not believed: a team may have forged it to keep the service from starting. Without
 * the right to list Leases, which not every installation has, none is found.
 */
async function otherPrefix(
  { own, lease, of }: PrefixSource,
  deadline: Deadline,
): Promise<RecordedPrefix | undefined> {
  const listed = await lease.list(deadline).catch((error: unknown) => {
    if (isServiceError(error, 'rbacForbidden')) return [];
    throw error;
  });
  for (const { namespace, name, annotations } of listed.filter(isHistoryLease)) {
    const other = namespace === of.namespace ? readRecords(annotations) : undefined;
    if (other !== undefined && other.prefix !== own.prefix && overlap(other.scope, own.scope))
      return { prefix: other.prefix, namespace, name };
  }
  return undefined;
}

/** Of a Lease without a holder, as after a release. */
function termOfNoOne(now: number): LeaseTerm {
  return { holder: '', durationSeconds: 1, acquiredAt: now, renewedAt: now, transitions: 0 };
}

/** For the operator alone: what to do if another prefix is recorded. */
export function prefixMismatch(
  prefix: string,
  { prefix: recorded, namespace, name }: RecordedPrefix,
): ServiceError {
  const known = /^[a-z0-9][-a-z0-9.]{0,252}$/.test(recorded) ? recorded : '(a text that is no prefix)';
  return new ServiceError(
    'notConfigured',
    `SERVICE_ANNOTATION_PREFIX is ${prefix}, but the Lease ${namespace}/${name} records ${known}. Under another prefix ` +
      'no access rule and no history that was written before has any effect. ' +
      `Set SERVICE_ANNOTATION_PREFIX=${known}, or, after everything was migrated (docs/operations.md, "Moving"; ` +
      `a Lease whose installation is gone can be deleted instead), run: ` +
      `kubectl -n ${namespace} annotate lease ${name} --overwrite ${PREFIX_RECORD}=${prefix}`,
    { reason: 'annotationPrefixDiffers' },
  );
}
