import { isServiceError } from '../../errors/service-error.ts';
import type { LeaseStore, ListedLease } from '../../kube/lease.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../timing/clock.ts';
import { startDeadline } from '../../timing/deadline.ts';
import { covers, isHistoryLease, overlap, readRecords, type Installation, type LeaseName } from './lease.ts';

/** Installations that keep the history of some of the same namespaces, and do so instead of this one. */
export type OtherInstallations = ReturnType<typeof createOtherInstallations>;

export interface OtherInstallationsOptions {
  readonly own: Installation;
  /** The Lease that the replicas of this installation share. */
  readonly ownLease: LeaseName;
  readonly lease: Pick<LeaseStore, 'list'>;
  /** Called when other namespaces are to be reconciled than before. */
  readonly onChange: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

interface Other {
  readonly event: string;
  /** What is left to it. */
  readonly scope: Installation['scope'];
  /** Its log fields. */
  readonly fields: { readonly namespace: string; readonly name: string; readonly limit: number };
}

const RECONCILES = 'another installation reconciles the history';
/** It may be of another namespace, whose Lease the start does not believe. */
const HAS_OTHER_PREFIX = 'another installation uses another annotation prefix';
/** Whoever may write Leases can forge any number. */
const MAX_NAMED = 10;
const LOOK_MS = 30_000;
const BUDGET_MS = 5_000;
/** A holder renews every few seconds. One that has not for so long, by the clock of this replica, has ended. */
const ENDED_MS = 60_000;

/**
 * Finds by their Leases other installations with the same prefix whose scopes overlap: each would remove snapshots by its
 * own limit. The one whose Lease is older goes on; the other says so, and reconciles the rest of its scope. One with a
 * scope of names sees only the Leases of its own namespace, so one for the whole cluster gives way to it. But whoever may
 * write Leases in some namespace can forge one: a younger one outside this service's own namespace counts for the namespace
 * that it is in. If it is no forgery, both reconcile the other namespaces, and this one says so.
 */
export function createOtherInstallations(options: OtherInstallationsOptions) {
  const { lease, onChange, logger, clock } = options;
  const renewals = createRenewals(clock);
  /** By what `/readyz` says of each. */
  let others: ReadonlyMap<string, Other> = new Map();
  let isFailureLogged = false;

  const replaceOthers = (found: typeof others): void => {
    const begun = [...found].filter(([text]) => !others.has(text));
    const ended = [...others].filter(([text]) => !found.has(text));
    others = found;
    for (const [, { event, fields }] of begun.slice(0, MAX_NAMED))
      logger.warn(event, { ...fields, count: begun.length });
    for (const [, { fields }] of ended.slice(0, MAX_NAMED))
      logger.info('another installation has ended', { ...fields, count: ended.length });
    if (begun.length + ended.length > 0) onChange();
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    try {
      const leases = (await lease.list(startDeadline(BUDGET_MS, signal))).filter(isHistoryLease);
      replaceOthers(othersAmong(leases, renewals(leases), options));
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // What was found stays until it is known to have ended.
      const { code, reason } = error;
      if (!isFailureLogged && !signal.aborted)
        logger.warn('cannot look for other installations', { code, reason });
      isFailureLogged = true;
    }
  };
  return {
    /** Whether another installation reconciles this namespace. */
    reconcile: (namespace: string) => others.values().some(({ scope }) => covers(scope, namespace)),
    /** For `/readyz`: one text for each of the first, and how many there are besides. */
    notes: (): readonly string[] => {
      const more = others.size - MAX_NAMED;
      return [...others.keys().take(MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
    },
    /** Reads the Leases once. Never rejects. */
    look,
    /** Looks again and again until `signal` is aborted. */
    follow: async (signal: AbortSignal): Promise<void> => {
      for (;;) {
        await clock.sleep(LOOK_MS, signal);
        if (signal.aborted) return;
        await look(signal);
      }
    },
  };
}

/** Returns which of the listed Leases are held by a replica that still renews. */
function createRenewals({ now }: Pick<Clock, 'now'>) {
  const revisionOf = (lease: ListedLease) => `${keyOf(lease)}@${lease.resourceVersion}`;
  let seen: ReadonlyMap<string, number> = new Map();
  return (leases: readonly ListedLease[]): ((lease: ListedLease) => boolean) => {
    const before = seen;
    seen = new Map(leases.map(revisionOf).map((revision) => [revision, before.get(revision) ?? now()]));
    return (lease) => lease.holder !== '' && now() - (seen.get(revisionOf(lease)) ?? 0) < ENDED_MS;
  };
}

function othersAmong(
  leases: readonly ListedLease[],
  isActive: (lease: ListedLease) => boolean,
  { own, ownLease }: Pick<OtherInstallationsOptions, 'own' | 'ownLease'>,
): ReadonlyMap<string, Other> {
  const mine = leases.find((lease) => keyOf(lease) === keyOf(ownLease));
  const others = new Map<string, Other>();
  // The oldest are named first: forged ones are mostly younger.
  for (const lease of leases.toSorted((one, two) => (isOlder(one, two) ? -1 : 1))) {
    const other = readRecords(lease.annotations);
    if (other === undefined || !isActive(lease) || !overlap(other.scope, own.scope)) continue;
    const { namespace, name } = lease;
    const { scope, limit } = other;
    const hasPrefix = other.prefix === own.prefix;
    const seesLess = scope.named !== undefined;
    const isAlike = seesLess === (own.scope.named !== undefined);
    const goesFirst = isAlike ? isOlder(lease, mine) : seesLess;
    if (hasPrefix && !(lease === mine ? limit !== own.limit : goesFirst)) continue;
    const isBelieved = namespace === ownLease.namespace || isOlder(lease, mine);
    const named = hasPrefix && scope.named?.includes(namespace) === true ? [namespace] : [];
    const event = hasPrefix ? RECONCILES : HAS_OTHER_PREFIX;
    others.set(`${event} (Lease ${namespace}/${name}, limit ${limit})`, {
      event,
      scope: hasPrefix && isBelieved ? scope : { named },
      fields: { namespace, name, limit },
    });
  }
  return others;
}

function isOlder(lease: ListedLease, mine: ListedLease | undefined): boolean {
  if (mine === undefined) return true;
  if (lease.createdAt !== mine.createdAt) return lease.createdAt < mine.createdAt;
  return keyOf(lease) < keyOf(mine);
}

const keyOf = ({ namespace, name }: LeaseName): string => `${namespace}/${name}`;
