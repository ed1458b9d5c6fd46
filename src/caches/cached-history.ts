import { toIndexed, type IndexedHistory } from '../history/reconciler/reconcile.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { Listed } from '../informers/listed-values.ts';
import { keptRevision, type KeptRevision } from './revision-form.ts';
import type { SharedValues } from './shared-values.ts';

/** Undefined for a live Secret. */
export type KeepHistory = (metadata: SecretMetadata) => IndexedHistory | undefined;

/**
 * Makes the function that reduces a history object to what is kept of it. Lists are in the order of names, so what a
 * snapshot says of its live Secret is mostly what the one before it said.
 */
export function createKeepHistory(shared: Pick<SharedValues, 'text'>): KeepHistory {
  let [lastUid, lastName] = ['', ''];
  return (metadata) => {
    const indexed = toIndexed({ ...metadata, namespace: shared.text(metadata.namespace) });
    if (indexed.kind === 'live') return undefined;
    const { parsed, claimedUid } = indexed;
    if (typeof parsed === 'string' || !isUsual(indexed, parsed)) return indexed;
    if (lastUid !== claimedUid) lastUid = claimedUid;
    if (lastName !== parsed.of) lastName = parsed.of;
    return new Snapshot(indexed, parsed, lastUid, lastName);
  };
}

type Archived = Exclude<IndexedHistory['parsed'], string>;

/** Bound to a live Secret, as far as it is known, and nothing is to be done for it. */
function isUsual({ terminating }: IndexedHistory, parsed: Archived): boolean {
  return !terminating && !parsed.isFinal && parsed.orphanedAt === undefined && parsed.lostLabels.size === 0;
}

// Of each usual snapshot. As fields they would take memory in each.
const HISTORY = 'history';
const IS_TERMINATING = false;
const NONE_LOST: ReadonlyMap<string, string> = new Map();

/** The usual snapshot. There may be many for each live Secret of the cluster. */
class Snapshot extends Listed implements IndexedHistory {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly claimedUid: string;
  readonly #of: string;
  readonly #version: number;
  readonly #revision: KeptRevision;
  readonly #source: KeptRevision;

  constructor(
    indexed: IndexedHistory,
    { version, sourceResourceVersion }: Archived,
    uid: string,
    of: string,
  ) {
    super();
    this.namespace = indexed.namespace;
    this.name = indexed.name;
    this.uid = indexed.uid;
    this.claimedUid = uid;
    this.#of = of;
    this.#version = version;
    this.#revision = keptRevision(indexed.resourceVersion);
    this.#source = keptRevision(sourceResourceVersion);
  }

  get kind(): typeof HISTORY {
    return HISTORY;
  }

  get resourceVersion(): string {
    return String(this.#revision);
  }

  get terminating(): boolean {
    return IS_TERMINATING;
  }

  get parsed(): Archived {
    return {
      of: this.#of,
      version: this.#version,
      sourceResourceVersion: String(this.#source),
      lostLabels: NONE_LOST,
      orphanedAt: undefined,
      isFinal: false,
    };
  }
}
