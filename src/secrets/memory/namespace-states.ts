import { randomUUID } from 'node:crypto';
import { parseRevision } from '../../kube/resource-version.ts';
import type { Clock } from '../../timing/clock.ts';
import type { Deadline } from '../../timing/deadline.ts';
import { createEventLoopYielder } from '../../timing/event-loop-yielder.ts';
import { sortInSlices } from '../../timing/sort-in-slices.ts';
import type { ListCache, LiveReason } from '../list-cache.ts';
import { byName, type ListItem, type SearchableItem } from '../list-item.ts';
import { digestOf } from './page-token.ts';
import { changesBetween, newestAfter } from './state-changes.ts';

/** All Secrets of a namespace at one point in time. */
export interface NamespaceState {
  readonly namespace: string;
  /** Ordered by name. */
  readonly items: readonly SearchableItem[];
  /** The newest revision among them, see {@link newestRevision}. */
  readonly newest: string | undefined;
  /** Equal for equal states, on every replica. */
  readonly digest: Buffer;
  /** Bytes of Secrets that only this state, or an earlier one, still keeps in memory. */
  outdatedBytes(): number;
}

/** The state as it is now. */
export interface CurrentState {
  readonly state: NamespaceState;
  /** Milliseconds since the cluster last confirmed it. */
  readonly ageMs: number;
}

/** The states of namespaces as the cache has them now. */
export interface NamespaceStates {
  of(namespace: string, deadline: Deadline): Promise<CurrentState | LiveReason>;
}

interface Kept {
  readonly version: number;
  readonly state: Promise<BuiltState>;
  usedAt: number;
}

/** A state that is not used for so long is dropped with the next request. */
const IDLE_MS = 10 * 60_000;
/** How often idle states are looked for. */
const SWEEP_MS = 60_000;

/**
 * Orders the Secrets of a namespace once for each of its states that is requested, in slices, and takes over what the
 * state before has. Only the last state is kept here.
 */
export function createNamespaceStates(
  listCache: Pick<ListCache, 'state'>,
  { now }: Pick<Clock, 'now'>,
): NamespaceStates {
  const states = new Map<string, Kept>();
  let sweptAt = now();

  const sweep = (): void => {
    if (now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    for (const [namespace, { usedAt }] of states) {
      if (now() - usedAt > IDLE_MS) states.delete(namespace);
    }
  };
  const build = (
    namespace: string,
    version: number,
    items: readonly SearchableItem[],
  ): Promise<BuiltState> => {
    const state = buildState(namespace, items, states.get(namespace)?.state);
    if (items.length === 0) states.delete(namespace);
    else states.set(namespace, { version, state, usedAt: now() });
    return state;
  };
  return {
    async of(namespace, deadline) {
      sweep();
      const known = states.get(namespace);
      const cached = await listCache.state(namespace, known?.version, deadline);
      if (typeof cached === 'string') return cached;
      const { version, items, ageMs } = cached;
      // Another request may have been faster.
      const same = [states.get(namespace), known].find((kept) => kept?.version === version);
      if (same === undefined) return { state: await build(namespace, version, items ?? []), ageMs };
      same.usedAt = now();
      return { state: await same.state, ageMs };
    },
  };
}

/** A state, with what the next one takes over. */
interface BuiltState extends NamespaceState {
  readonly newestItem: ListItem | undefined;
  readonly outdated: Outdated;
}

/** Bytes of a namespace's Secrets that were replaced or deleted, over all its states. */
interface Outdated {
  bytes: number;
}

async function buildState(
  namespace: string,
  unordered: readonly SearchableItem[],
  former: Promise<BuiltState> | undefined,
): Promise<BuiltState> {
  const items = await sortInSlices(unordered, byName);
  const before = await former;
  const changes = await changesBetween(before?.items ?? [], items);
  const outdated = before?.outdated ?? { bytes: 0 };
  outdated.bytes += await bytesOf(changes.removed);
  const since = outdated.bytes;
  const newestItem = newestAfter(items, before?.newestItem, changes);
  return {
    namespace,
    items,
    newest: newestItem?.resourceVersion,
    newestItem,
    digest: digestOfState(items.length, newestItem),
    outdated,
    outdatedBytes: () => outdated.bytes - since,
  };
}

/**
 * While no revision is newer, Secrets can only be deleted: states with the same newest revision and as many Secrets are
 * the same. That needs revisions that can be compared; without them each state is different from every other.
 */
function digestOfState(count: number, newest: ListItem | undefined): Buffer {
  if (newest !== undefined && parseRevision(newest.resourceVersion) === undefined)
    return digestOf(randomUUID());
  return digestOf(String(count), newest?.resourceVersion ?? '', newest?.uid ?? '');
}

async function bytesOf(items: readonly ListItem[]): Promise<number> {
  const yielder = createEventLoopYielder();
  let bytes = 0;
  for (const { json } of items) {
    bytes += json.length;
    await yielder.yieldIfDue();
  }
  return bytes;
}
