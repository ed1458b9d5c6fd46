import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { SecretRef, StoredSecret } from './secret.ts';
import type { PageBudget } from './page-sizes.ts';
import { inconsistent, overBudget, readPages, withRestarts, type ReadPagesOptions } from './read-pages.ts';

/** The contract's budgets for one collection. */
export const COLLECTION_LIMITS = {
  objects: 5_000,
  bytes: 32 * 1024 * 1024,
  pages: 100,
} as const satisfies PageBudget;

/** What texts take of the heap, nearly. */
export function bytesOfTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length + 16, 0);
}

const MAX_RESTARTS = 1;

/** Everything in a list, at one revision. */
export interface Collection<Item> {
  readonly items: readonly Item[];
  readonly resourceVersion: string;
}

/** One reading of a list from its beginning. */
export interface Pass {
  /** For `keep` to count. */
  bytes: number;
}

type Named = Pick<SecretRef, 'name'>;

/** The budget is the contract's by default. */
export interface Collected<Item extends Named, Kept> extends Omit<ReadPagesOptions<Item>, 'take'> {
  /** What is kept of an object, reduced as it arrives. No page is kept. */
  readonly keep: (item: Item, pass: Pass) => Kept;
  /** Decides whether an object that is listed twice is the same. By default, what is kept of both does. */
  readonly stateOf?: (item: Item) => string;
}

/**
 * Collects Secrets, see {@link collectPages}. A digest of each whole object decides whether one that is listed twice is the
 * same.
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export function collectSecrets<Reduced>(
  list: Pick<Collected<StoredSecret, Reduced>, 'listPage' | 'keep' | 'onMore'>,
): Promise<Collection<Reduced>> {
  return collectPages({ subject: 'Secrets', stateOf: digestOfSecret, ...list });
}

/**
 * A digest to decide whether two Secret objects are the same in every field without keeping them: thousands of them do
 * not fit into memory. The values are hashed as bytes, which avoids long strings.
 */
function digestOfSecret({ data, native, labels, annotations, managed: _parsed, ...fields }: StoredSecret) {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([fields, [...labels], [...annotations], withoutValues(native)]));
  for (const [key, value] of data) {
    hash.update(JSON.stringify([key, value.byteLength]));
    hash.update(value);
  }
  return hash.digest('base64');
}

function withoutValues(native: unknown): unknown {
  return typeof native === 'object' && native !== null ? { ...native, data: undefined } : native;
}

/**
 * Collects every object of a list within one namespace, over all pages of one consistent list. The result is always
 * complete: a collection that fails, contradicts itself or exceeds a budget throws. After an expired continue token the
 * collection starts over, once.
 *
 * @throws {ServiceError} `listOverBudget`, `listInconsistent` or `listFailed`
 */
export async function collectPages<Item extends Named, Kept>(
  collected: Collected<Item, Kept>,
): Promise<Collection<Kept>> {
  try {
    return await withRestarts(MAX_RESTARTS, () => collectOnce(collected));
  } catch (error) {
    throw translated(collected.subject, error);
  }
}

async function collectOnce<Item extends Named, Kept>({
  keep,
  stateOf,
  budget = COLLECTION_LIMITS,
  ...list
}: Collected<Item, Kept>): Promise<Collection<Kept>> {
  const items = new Map<string, { readonly state: unknown; readonly kept: Kept }>();
  const pass: Pass = { bytes: 0 };
  const take = (item: Item): void => {
    const kept = keep(item, pass);
    const state = stateOf === undefined ? kept : stateOf(item);
    const known = items.get(item.name);
    if (known === undefined) items.set(item.name, { state, kept });
    // An identical duplicate is kept once. The same name in two states contradicts a consistent list.
    else if (!isDeepStrictEqual(known.state, state))
      throw inconsistent(list.subject, 'listConflictingDuplicate');
    if (items.size > budget.objects) throw overBudget(list.subject, 'objects');
  };
  const resourceVersion = await readPages({ ...list, budget, take });
  return { items: Array.from(items.values(), ({ kept }) => kept), resourceVersion };
}

function translated(subject: string, error: unknown): unknown {
  if (isServiceError(error, 'listInconsistent', 'listOverBudget')) return error;
  if (isServiceError(error, 'responseTooLarge')) return overBudget(subject, 'bytes');
  if (!isServiceError(error)) return error;
  return new ServiceError('listFailed', `The list of ${subject} could not be collected`, {
    reason: error.reason ?? error.code,
    cause: error,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
