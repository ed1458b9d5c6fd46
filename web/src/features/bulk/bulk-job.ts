import { ApiError, createLimit, isNotFound, outcomeIsUnknown } from '../../api/http-client.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** What became of one Secret. */
export type BulkState =
  | 'done'
  | 'pending'
  /** It no longer exists. */
  | 'gone'
  /** It is not in the list any longer: deleted, or access to it is lost. */
  | 'hidden'
  | 'same'
  | 'changed'
  | 'replaced'
  | 'unknown'
  | 'notTried';

export interface BulkOutcome {
  readonly state: BulkState;
  /** Of what can be restored. */
  readonly uid?: string;
  /** What the service answered, if that was no success. */
  readonly error?: unknown;
}

/** By the name of the Secret. */
export type BulkOutcomes = ReadonlyMap<string, BulkOutcome>;

/** One action on each of some Secrets. */
export interface BulkJob {
  readonly send: (secret: SecretSummary) => Promise<BulkOutcome>;
  /** What the Secret as it is now shows of a request whose answer leaves that open. It never rejects. */
  readonly settle: (
    before: SecretSummary,
    now: SecretSummary | undefined,
  ) => BulkOutcome | Promise<BulkOutcome>;
}

export interface BulkRun {
  readonly secrets: readonly SecretSummary[];
  readonly job: BulkJob;
  /** Reads those that exist from the cluster, and perhaps others; called once at most. */
  readonly readNow: () => Promise<readonly SecretSummary[]>;
  readonly onOutcome: (name: string, outcome: BulkOutcome) => void;
  readonly isStopped: () => boolean;
}

/** Few enough that the requests of everyone else are not kept waiting. */
const AT_ONCE = 4;

/** Sends the requests, and looks up what became of those whose answer does not say. It never rejects. */
export async function runBulk({ secrets, job, readNow, onOutcome, isStopped }: BulkRun): Promise<void> {
  const open: { readonly secret: SecretSummary; readonly error: unknown }[] = [];
  let isSignedOut = false;
  const send = async (secret: SecretSummary): Promise<void> => {
    const { name } = secret;
    if (isSignedOut || isStopped()) {
      onOutcome(name, { state: 'notTried' });
      return;
    }
    try {
      onOutcome(name, await job.send(secret));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) isSignedOut = true;
      if (leavesOpen(error)) open.push({ secret, error });
      else onOutcome(name, { state: isNotFound(error) ? 'gone' : 'same', error });
    }
  };
  const limit = createLimit(AT_ONCE);
  await Promise.all(secrets.map((secret) => limit(() => send(secret))));
  if (open.length === 0) return;
  const now = await readNow().then(
    (found) => new Map(found.map((secret) => [secret.name, secret])),
    () => undefined,
  );
  for (const { secret, error } of open) {
    const known =
      now === undefined ? ({ state: 'unknown' } as const) : await job.settle(secret, now.get(secret.name));
    onOutcome(secret.name, { error, ...known });
  }
}

/** A conflict is clear, but not what changed; what the page itself failed at says nothing about the write. */
function leavesOpen(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 409 || outcomeIsUnknown(error);
}
