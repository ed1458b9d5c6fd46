import type { SecretSummary, SplitValues, Values, VersionList, SecretDetail } from '../../api/secrets-api.ts';
import type { ShownChange } from '../../ui/key-changes.tsx';
import type { KeyChanges } from '../../api/schema.ts';
import { compareValues } from '../../editing/changes.ts';
import { useSearchParams } from 'react-router';

/** Every key of either state, with what differs; text and base64 of the same letters are different values. */
export function compareStates(before: SplitValues, after: SplitValues): readonly ShownChange[] {
  return compareValues(allValues(before), allValues(after)).map((change) => {
    const binary = { before: before.binary.has(change.key), after: after.binary.has(change.key) };
    const sameLetters = change.kind === 'same' && binary.before !== binary.after;
    return { ...change, binary, kind: sameLetters ? 'changed' : change.kind };
  });
}

/** Text as it is and binary as base64, in one map: a key is only ever one of both. */
const allValues = ({ text, binary }: SplitValues): Values => new Map([...text, ...binary]);

/** A version, the live one too: who made it, when, and what it changed. */
export interface MadeVersion {
  readonly state: State;
  readonly version: number;
  readonly lastModifiedBy?: string | undefined;
  readonly lastModifiedAt?: string | undefined;
  /** When it was archived. */
  readonly createdAt?: string;
  /** Of an archived one. */
  readonly keys?: readonly string[];
  readonly changes?: KeyChanges;
  readonly changeNote?: string;
}

/**
 * All versions, the live one first.
 * @param live undefined while who made the live version is not known
 */
export function versionsOf(list: VersionList, live: SecretSummary | undefined): readonly MadeVersion[] {
  return [
    { ...list, lastModifiedBy: live?.lastModifiedBy, ...timeOf(live ?? {}), state: 'live' },
    ...list.versions.map((one) => ({ ...one, ...timeOf(one), state: one.version })),
  ];
}

/** None where it is malformed: anyone can write an annotation. */
function timeOf({ lastModifiedAt: at = '' }: Pick<MadeVersion, 'lastModifiedAt'>) {
  return { lastModifiedAt: Number.isNaN(Date.parse(at)) ? undefined : at };
}

/** The version that last changed a key. */
interface KeyHistory {
  readonly key: string;
  readonly what: 'added' | 'changed' | 'removed' | 'not changed since';
  readonly version: number;
  readonly by: string | undefined;
  readonly at: string | undefined;
}

/**
 * Who last changed each key, and when: the last change first. A key that no version here has changed is as old as the
 * oldest of them at least.
 * @param live undefined while who made the live version is not known
 */
export function keyHistories(list: VersionList, live: SecretSummary | undefined): readonly KeyHistory[] {
  const found = new Map<string, KeyHistory>();
  for (const { version, changes, lastModifiedBy: by, lastModifiedAt: at } of versionsOf(list, live)) {
    for (const what of ['added', 'changed', 'removed'] as const) {
      for (const key of changes?.[what] ?? []) {
        if (!found.has(key)) found.set(key, { key, what, version, by, at });
      }
    }
  }
  const oldest = list.versions.at(-1);
  for (const key of oldest?.keys ?? []) {
    if (found.has(key) || oldest === undefined) continue;
    const { version, lastModifiedBy: by, lastModifiedAt: at } = oldest;
    found.set(key, { key, what: 'not changed since', version, by, at });
  }
  return [...found.values()];
}

/** What the live Secret shows of a restore that was refused, or whose answer was lost. */
type RestoreState = 'restored' | 'notRestored' | 'changed';

/**
 * @param reviewed the live Secret as it was reviewed
 * @param keys those that were restored; left out: all
 */
export function restoreStateOf(
  reviewed: SecretDetail,
  { archived, keys }: { readonly archived: SplitValues; readonly keys?: readonly string[] },
  now: SecretDetail,
): RestoreState {
  if (now.resourceVersion === reviewed.resourceVersion) return 'notRestored';
  const isSameSecret = now.creationTimestamp === reviewed.creationTimestamp;
  const wanted = keys === undefined ? archived : withKeysOf(reviewed, archived, keys);
  const hasSameValues = compareStates(wanted, now).every(({ kind }) => kind === 'same');
  return isSameSecret && hasSameValues ? 'restored' : 'changed';
}

/** A state with some keys as another one has them, or without them where it has none. */
function withKeysOf(live: SplitValues, archived: SplitValues, keys: readonly string[]): SplitValues {
  const merge = (to: Values, from: Values): Values => {
    const kept = [...to].filter(([key]) => !keys.includes(key));
    return new Map([...kept, ...[...from].filter(([key]) => keys.includes(key))]);
  };
  return { text: merge(live.text, archived.text), binary: merge(live.binary, archived.binary) };
}

/** A state of a Secret: an archived version, or the live one. */
export type State = number | 'live';

/** The version that is open, and the one that it is compared with, as the address has them. */
export function useHistoryAddress() {
  const [search, setSearch] = useSearchParams();
  const [compared, other] = search.get('compare')?.split('-') ?? [];
  const go = (params: Readonly<Record<string, string>>) => setSearch(params, { preventScrollReset: true });
  return {
    opened: stateOf(search.get('view') ?? compared),
    /** Undefined: the one before. */
    other: compared === undefined ? undefined : (stateOf(other) ?? 'live'),
    open: (state: State) => go({ view: String(state) }),
    compare: (state: State, with_: State) => go({ compare: `${state}-${with_}` }),
    close: () => go({}),
  };
}

function stateOf(text = ''): State | undefined {
  if (text === 'live') return text;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
