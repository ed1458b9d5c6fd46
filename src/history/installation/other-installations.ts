import { isServiceError } from '../../errors/service-error.ts';
import type { LeaseStore, ListedLease } from '../../kube/lease.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Clock } from '../../timing/clock.ts';
import { startDeadline } from '../../timing/deadline.ts';
import { covers, isHistoryLease, overlap, readRecords, type Installation } from './lease.ts';

/** Installations that keep the history of some of the same namespaces, and do so instead of this one. */
export type OtherInstallations = ReturnType<typeof createOtherInstallations>;

export interface OtherInstallationsOptions {
  readonly own: Installation;
  /** The Lease that the replicas of this installation share. */
  readonly ownLease: { readonly namespace: string; readonly name: string };
  readonly lease: Pick<LeaseStore, 'list'>;
  /** Called when other namespaces are to be reconciled than before. */
  readonly onChange: () => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

interface Other {
  readonly namespace: string;
  readonly name: string;
  readonly installation: Installation;
}

const LOOK_MS = 30_000;
const BUDGET_MS = 5_000;
/** A holder renews every few seconds. One that has not for so long, by the clock of this replica, has ended. */
const ENDED_MS = 60_000;

/**
 * Finds by their Leases other installations with the same prefix whose scopes overlap: each would remove snapshots by its
 * own limit. The one whose Lease is older goes on; the other says so, and reconciles the rest of its scope. One with a
 * scope of names sees only the Leases of its own namespace, so one for the whole cluster gives way to it.
 */
export function createOtherInstallations(options: OtherInstallationsOptions) {
  const { lease, onChange, logger, clock } = options;
  const renewals = createRenewals(clock);
  let others: ReadonlyMap<string, Other> = new Map();
  let isFailureLogged = false;

  const replaceOthers = (found: readonly Other[]): void => {
    const before = others;
    others = new Map(found.map((other) => [textOf(other), other]));
    const begun = [...others].filter(([text]) => !before.has(text));
    const ended = [...before].filter(([text]) => !others.has(text));
    for (const [, other] of begun)
      logger.warn('another installation reconciles the history', fieldsOf(other));
    for (const [, other] of ended) logger.info('another installation has ended', fieldsOf(other));
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
    reconcile: (namespace: string) =>
      others.values().some(({ installation }) => covers(installation.scope, namespace)),
    /** For `/readyz`: one text for each. */
    notes: (): readonly string[] => [...others.keys()],
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
  let seen = new Map<string, { readonly revision: string; readonly since: number }>();
  return (leases: readonly ListedLease[]): ((lease: ListedLease) => boolean) => {
    const before = seen;
    seen = new Map(
      leases.map((lease) => {
        const known = before.get(keyOf(lease));
        const revision = lease.resourceVersion;
        return [keyOf(lease), known?.revision === revision ? known : { revision, since: now() }];
      }),
    );
    return (lease) => lease.holder !== '' && now() - (seen.get(keyOf(lease))?.since ?? 0) < ENDED_MS;
  };
}

function othersAmong(
  leases: readonly ListedLease[],
  isActive: (lease: ListedLease) => boolean,
  { own, ownLease }: Pick<OtherInstallationsOptions, 'own' | 'ownLease'>,
): readonly Other[] {
  const mine = leases.find((lease) => keyOf(lease) === keyOf(ownLease));
  return leases.flatMap((lease) => {
    const installation = readRecords(lease.annotations);
    if (installation?.prefix !== own.prefix || !isActive(lease)) return [];
    const isOther =
      lease === mine
        ? installation.limit !== own.limit
        : overlap(installation.scope, own.scope) && goesFirst({ lease, installation }, { mine, own });
    return isOther ? [{ namespace: lease.namespace, name: lease.name, installation }] : [];
  });
}

function goesFirst(
  { lease, installation }: { readonly lease: ListedLease; readonly installation: Installation },
  { mine, own }: { readonly mine: ListedLease | undefined; readonly own: Installation },
): boolean {
  const seesLess = installation.scope.named !== undefined;
  if (seesLess !== (own.scope.named !== undefined)) return seesLess;
  if (mine === undefined) return true;
  if (lease.createdAt !== mine.createdAt) return lease.createdAt < mine.createdAt;
  return keyOf(lease) < keyOf(mine);
}

function textOf({ namespace, name, installation: { limit } }: Other): string {
  return `another installation reconciles the history (Lease ${namespace}/${name}, limit ${limit})`;
}

function fieldsOf({ namespace, name, installation: { limit } }: Other) {
  return { namespace, name, limit };
}

function keyOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
