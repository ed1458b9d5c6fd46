import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../calls/call.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SnapshotStore, StoredSecret } from './ports.ts';

/** The contract's budgets for one collection. */
export const COLLECTION_LIMITS = {
  objects: 5_000,
  bytes: 32 * 1024 * 1024,
  pages: 100,
} as const;

const PAGE_SIZE = 500;

/**
 * Collects every object that a selector matches, over all pages of one consistent list. The result is
 * complete or there is none: a collection that fails, contradicts itself or breaks a budget throws.
 * A continue token that expired starts the collection over, once.
 *
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export async function collectAll(
  store: Pick<SnapshotStore, 'listPage'>,
  namespace: string,
  labelSelector: string,
  call: Call,
): Promise<readonly StoredSecret[]> {
  try {
    return await collectOnce(store, namespace, labelSelector, call).catch((error: unknown) => {
      if (!isServiceError(error, 'expired')) throw error;
      return collectOnce(store, namespace, labelSelector, call);
    });
  } catch (error) {
    throw translated(error);
  }
}

async function collectOnce(
  store: Pick<SnapshotStore, 'listPage'>,
  namespace: string,
  labelSelector: string,
  call: Call,
): Promise<readonly StoredSecret[]> {
  const collected = new Map<string, StoredSecret>();
  let bytes = 0;
  let revision: string | undefined;
  let continueToken: string | undefined;
  for (let pages = 0; pages < COLLECTION_LIMITS.pages; pages++) {
    const page = await store.listPage(
      namespace,
      {
        labelSelector,
        limit: PAGE_SIZE,
        maxBytes: COLLECTION_LIMITS.bytes - bytes,
        ...(continueToken === undefined ? {} : { continueToken }),
      },
      call,
    );
    revision ??= page.resourceVersion;
    if (page.resourceVersion !== revision) throw inconsistent('listRevisionChanged');
    bytes += page.bytes;
    for (const secret of page.secrets) addOnce(collected, secret);
    if (collected.size > COLLECTION_LIMITS.objects) throw overBudget('objects');
    if (page.continueToken === undefined) return [...collected.values()];
    if (page.continueToken === continueToken) throw inconsistent('listDidNotAdvance');
    continueToken = page.continueToken;
  }
  throw overBudget('pages');
}

/** An identical duplicate appears once; the same name in two states contradicts a consistent list. */
function addOnce(collected: Map<string, StoredSecret>, secret: StoredSecret): void {
  const known = collected.get(secret.name);
  if (known === undefined) {
    collected.set(secret.name, secret);
  } else if (!isDeepStrictEqual(known, secret)) {
    throw inconsistent('listConflictingDuplicate');
  }
}

function inconsistent(reason: string): ServiceError {
  return new ServiceError('listInconsistent', 'The list of Secrets was inconsistent; try again', { reason });
}

function overBudget(budget: 'objects' | 'bytes' | 'pages'): ServiceError {
  const limits = '5,000 objects, 32 MiB or 100 pages';
  return new ServiceError('listOverBudget', `The list of Secrets is over budget (${limits})`, {
    reason: `listOverBudget:${budget}`,
  });
}

function translated(error: unknown): unknown {
  if (isServiceError(error, 'listInconsistent', 'listOverBudget')) return error;
  if (isServiceError(error, 'responseTooLarge')) return overBudget('bytes');
  if (!isServiceError(error)) return error;
  return new ServiceError('listFailed', 'The list of Secrets could not be collected', {
    reason: error.reason ?? error.code,
    cause: error,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}
