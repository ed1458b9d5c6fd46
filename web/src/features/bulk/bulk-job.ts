import { ApiError, outcomeIsUnknown } from '../../api/http-client.ts';
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
  /** What the service answered, if that was no success. */
  readonly error?: unknown;
}

/** One action on several Secrets. */
export interface BulkJob {
  readonly send: (secret: SecretSummary) => Promise<BulkState>;
  /** What the Secret as it is now shows of a request whose answer leaves that open. */
  readonly settle: (before: SecretSummary, now: SecretSummary | undefined) => BulkState;
}

export interface BulkRun {
  readonly secrets: readonly SecretSummary[];
  readonly job: BulkJob;
  /** Reads the namespace again, from the cluster; called once at most. */
  readonly readList: () => Promise<readonly SecretSummary[]>;
  readonly onOutcome: (name: string, outcome: BulkOutcome) => void;
  readonly isStopped: () => boolean;
}

/** Few enough that the requests of everyone else are not kept waiting. */
const AT_ONCE = 4;

/** Sends the requests, and looks up what became of those whose answer does not say. It never rejects. */
export async function runBulk({ secrets, job, readList, onOutcome, isStopped }: BulkRun): Promise<void> {
  const open: { readonly secret: SecretSummary; readonly error: unknown }[] = [];
  const answered = new Set<string>();
  let isSignedOut = false;
  const send = async (secret: SecretSummary): Promise<void> => {
    try {
      onOutcome(secret.name, { state: await job.send(secret) });
      answered.add(secret.name);
    } catch (error) {
      answered.add(secret.name);
      if (error instanceof ApiError && error.status === 401) isSignedOut = true;
      if (leavesOpen(error)) open.push({ secret, error });
      else onOutcome(secret.name, { state: isNotFound(error) ? 'gone' : 'same', error });
    }
  };
  await runBounded(secrets, AT_ONCE, send, () => isSignedOut || isStopped());
  for (const { name } of secrets) if (!answered.has(name)) onOutcome(name, { state: 'notTried' });
  if (open.length === 0) return;
  const now = await readList().then(
    (list) => new Map(list.map((secret) => [secret.name, secret])),
    () => undefined,
  );
  for (const { secret, error } of open) {
    const state = now === undefined ? 'unknown' : job.settle(secret, now.get(secret.name));
    onOutcome(secret.name, { state, error });
  }
}

/** A conflict is clear, but not what changed. */
function leavesOpen(error: unknown): boolean {
  return outcomeIsUnknown(error) || (error instanceof ApiError && error.status === 409);
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Works through the items, some at a time and in their order. One that throws ends all; once `isStopped`, no further one
 * begins.
 */
async function runBounded<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !isStopped()) {
      const item = items[next];
      next += 1;
      if (item !== undefined) await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
