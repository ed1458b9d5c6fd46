import { ApiError, createLimit, isForbidden, outcomeIsUnknown } from '../../api/http-client.ts';
import type { SecretSummary } from '../../api/secrets-api.ts';

/** What became of one Secret. */
export type BulkState =
  | 'done'
  | 'pending'
  /** It no longer exists. */
  | 'gone'
  /** Deleted, or access to it is lost. */
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
  /** Reads a Secret from the cluster; undefined: it does not exist. */
  readonly readNow: (secret: SecretSummary) => Promise<SecretSummary | undefined>;
  readonly onOutcome: (name: string, outcome: BulkOutcome) => void;
  readonly isStopped: () => boolean;
}

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
      else onOutcome(name, { state: 'same', error });
    }
  };
  const limit = createLimit();
  await Promise.all(secrets.map((secret) => limit(() => send(secret))));
  const look = async ({ secret, error }: (typeof open)[number]): Promise<void> => {
    const known = await readNow(secret).then(
      (now) => job.settle(secret, now),
      (thrown: unknown): BulkOutcome => ({ state: isForbidden(thrown) ? 'hidden' : 'unknown' }),
    );
    const isOpen = known.state === 'same' && outcomeIsUnknown(error, true);
    onOutcome(secret.name, { error, ...known, ...(isOpen ? { state: 'unknown' } : {}) });
  };
  await Promise.all(open.map((one) => limit(() => look(one))));
}

/**
 * A conflict is clear, but not what changed, nor who deleted what is not found; what the page itself failed at says nothing
 * about the write.
 */
const leavesOpen = (error: unknown): boolean =>
  !(error instanceof ApiError) || [404, 409].includes(error.status) || outcomeIsUnknown(error);
