import { partsOf, type IndexedLive } from '../history/reconciler/reconcile.ts';
import { NamedValues } from '../informers/named-values.ts';

/** Reads the live Secrets of a table. */
export interface LiveSecrets<Live> {
  get(namespace: string, name: string): Live | undefined;
  /** All of a namespace, in no order. */
  of(namespace: string): readonly Live[];
  count(namespace: string): number;
  /** A number that no other state of the namespace has; 0 when it has no Secret. */
  version(namespace: string): number;
  /** Those that have a Secret. */
  namespaces(): Iterable<string>;
  values(): Iterable<Live>;
  readonly size: number;
  /** What they add up to, by `sizeOf`. */
  readonly bytes: number;
  /** Those that `tracks` selects, kept at hand. */
  tracked(): Iterable<Live>;
}

export interface LiveOptions<Live> {
  readonly sizeOf?: (live: Live) => number;
  readonly tracks?: (live: Live) => boolean;
  /** Gives each state of a namespace a number that no other state has. */
  readonly nextVersion: () => number;
}

/** Live Secrets by name and by UID, with the sums and selections that metrics read. */
export function createLiveSecrets<Live extends IndexedLive>({
  sizeOf = () => 0,
  tracks = () => false,
  nextVersion,
}: LiveOptions<Live>) {
  const held = new NamedValues<Live>();
  const byUid = new Map<string, Live>();
  const versions = new Map<string, number>();
  const tracked = new Set<Live>();
  let bytes = 0;
  const forget = (live: Live): void => {
    bytes -= sizeOf(live);
    tracked.delete(live);
    if (byUid.get(live.uid) === live) byUid.delete(live.uid);
  };
  const note = (live: Live): void => {
    bytes += sizeOf(live);
    if (tracks(live)) tracked.add(live);
    byUid.set(live.uid, live);
  };
  return {
    set: (namespace: string, name: string, live: Live | undefined): void => {
      const previous = held.set(namespace, name, live);
      if (previous !== undefined) forget(previous);
      if (live !== undefined) note(live);
      if (held.of(namespace) === undefined) versions.delete(namespace);
      else versions.set(namespace, nextVersion());
    },
    /** The live Secret of a history key. */
    byKey: (key: string): Live | undefined => {
      const { namespace, uid } = partsOf(key);
      const live = byUid.get(uid);
      return live?.namespace === namespace ? live : undefined;
    },
    get: (namespace: string, name: string) => held.get(namespace, name),
    of: (namespace: string): readonly Live[] => [...(held.of(namespace)?.values() ?? [])],
    count: (namespace: string) => held.of(namespace)?.size ?? 0,
    version: (namespace: string) => versions.get(namespace) ?? 0,
    namespaces: () => versions.keys(),
    values: () => held.values(),
    tracked: () => tracked,
    get size() {
      return held.size;
    },
    get bytes() {
      return bytes;
    },
  };
}
