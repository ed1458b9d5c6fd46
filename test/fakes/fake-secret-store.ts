import { ServiceError } from '../../src/errors/service-error.ts';
import type {
  MetadataChange,
  Preconditions,
  SecretData,
  SecretDraft,
  SecretMetadata,
  SecretRef,
} from '../../src/kube/secret.ts';
import type { Page, PageRequest } from '../../src/kube/page.ts';
import type { SecretChange, SecretStore } from '../../src/secrets/ports.ts';
import type { Journal } from './fake-journal.ts';
import { matchesLabels } from './label-selector.ts';
import {
  assertAcceptable,
  bytesOf,
  copyOf,
  metadataOf,
  sameData,
  sameTexts,
  type FakeSecret,
} from './fake-objects.ts';

/** What the store needs of the cluster around it. */
export interface FakeClusterState {
  readonly namespaces: ReadonlySet<string>;
  /** The next revision; revisions count up over the whole cluster. */
  nextRevision(): string;
  /** The newest revision. */
  revision(): string;
  nextUid(): string;
  now(): string;
}

/** The store, and the back door through which a test arranges what other clients do. */
export interface FakeSecretStore extends SecretStore {
  readonly insert: (draft: SecretDraft, finalizers: readonly string[]) => FakeSecret;
  readonly peek: (ref: SecretRef) => FakeSecret | undefined;
  readonly all: () => readonly FakeSecret[];
  /** Writes a changed object under a new revision, as another client would. */
  readonly overwrite: (secret: FakeSecret) => FakeSecret;
  readonly remove: (ref: SecretRef) => void;
  /** Changes every object from now on as it is created, as an admission webhook does. */
  readonly mutate: (change: (draft: SecretDraft) => SecretDraft) => void;
  /** Makes every continue token given so far answer `expired`. */
  readonly expireTokens: () => void;
}

export function createFakeSecretStore(state: FakeClusterState, journal: Journal): FakeSecretStore {
  const objects = new Objects(state);
  const pages = createPages(state);
  let admit = (draft: SecretDraft): SecretDraft => draft;
  return {
    insert: (draft, finalizers) => objects.insert(draft, finalizers),
    peek: (ref) => objects.peek(ref),
    overwrite: (secret) => objects.overwrite(secret),
    all: () => objects.all(),
    remove: (ref) => {
      objects.drop(ref);
    },
    mutate: (change) => {
      admit = change;
    },
    expireTokens: pages.expire,
    read: (ref, deadline) =>
      journal.run({ method: 'secrets.read', ...refOf(ref) }, deadline, () => objects.peek(ref)),
    listPage: (namespace, page, deadline) =>
      journal.run({ method: 'secrets.listPage', namespace }, deadline, () =>
        pages.page(page, () => objects.listed(namespace, page.labelSelector)),
      ),
    listMetadata: (namespace, page, deadline) =>
      journal.run({ method: 'secrets.listMetadata', namespace }, deadline, () =>
        withoutValues(
          pages.page(page, () =>
            objects.listed(namespace, page.labelSelector).map((one) => ({ ...one, data: NO_DATA })),
          ),
        ),
      ),
    create: (draft, deadline) =>
      journal.run({ method: 'secrets.create', ...refOf(draft) }, deadline, () =>
        objects.insert(admit(draft), []),
      ),
    replace: (current, change, deadline) =>
      journal.run({ method: 'secrets.replace', ...refOf(current) }, deadline, () =>
        objects.replace(current, change),
      ),
    patchMetadata: (ref, preconditions, change, deadline) =>
      journal.run({ method: 'secrets.patchMetadata', ...refOf(ref) }, deadline, () =>
        metadataOf(objects.annotate(ref, preconditions, change)),
      ),
    delete: (ref, preconditions, deadline) =>
      journal.run({ method: 'secrets.delete', ...refOf(ref) }, deadline, () => {
        objects.remove(ref, preconditions);
      }),
  };
}

/** What is stored, and the cluster's rules for changing it. */
class Objects {
  readonly #state: FakeClusterState;
  readonly #secrets = new Map<string, FakeSecret>();

  constructor(state: FakeClusterState) {
    this.#state = state;
  }

  insert(draft: SecretDraft, finalizers: readonly string[]): FakeSecret {
    if (!this.#state.namespaces.has(draft.namespace))
      throw new ServiceError('notFound', 'The namespace does not exist');
    assertAcceptable(draft);
    if (this.#secrets.has(keyOf(draft))) throw new ServiceError('exists', 'The Secret exists already');
    return this.#put({
      ...draft,
      type: draft.type === '' ? 'Opaque' : draft.type,
      immutable: draft.immutable ?? false,
      uid: this.#state.nextUid(),
      resourceVersion: this.#state.nextRevision(),
      creationTimestamp: this.#state.now(),
      deletionTimestamp: undefined,
      controllerOwner: undefined,
      native: undefined,
      finalizers,
    });
  }

  overwrite(secret: FakeSecret): FakeSecret {
    return this.#put({ ...secret, resourceVersion: this.#state.nextRevision() });
  }

  replace(current: SecretRef & Preconditions, change: SecretChange): FakeSecret {
    const stored = this.#secrets.get(keyOf(current));
    // The real cluster compares the uid first, and an object that is gone has none.
    if (stored === undefined) throw new ServiceError('conflict', 'The Secret has changed');
    assertPreconditions(stored, current);
    const data = change.data ?? stored.data;
    assertAcceptable({ name: stored.name, annotations: change.annotations, data });
    if (sameData(data, stored.data)) {
      // The real cluster does not even write what is identical.
      if (sameTexts(change.annotations, stored.annotations)) return copyOf(stored);
    } else if (stored.immutable) {
      throw new ServiceError('rejected', 'The cluster rejected the change of an immutable Secret');
    }
    return this.overwrite({ ...stored, annotations: change.annotations, data });
  }

  annotate(ref: SecretRef, preconditions: Preconditions, change: MetadataChange): FakeSecret {
    const stored = required(this.#secrets.get(keyOf(ref)));
    assertPreconditions(stored, preconditions);
    const labels = merged(stored.labels, change.labels);
    const annotations = merged(stored.annotations, change.annotations);
    const isSame = sameTexts(labels, stored.labels) && sameTexts(annotations, stored.annotations);
    return isSame ? copyOf(stored) : this.overwrite({ ...stored, labels, annotations });
  }

  remove(ref: SecretRef, preconditions: Preconditions): void {
    const stored = required(this.#secrets.get(keyOf(ref)));
    assertPreconditions(stored, preconditions);
    if (stored.finalizers.length === 0) this.drop(ref);
    else if (stored.deletionTimestamp === undefined)
      this.overwrite({ ...stored, deletionTimestamp: this.#state.now() });
  }

  /** Removes it whatever its finalizers. A deletion has a revision, as in etcd. */
  drop(ref: SecretRef): void {
    if (this.#secrets.delete(keyOf(ref))) this.#state.nextRevision();
  }

  listed(namespace: string, selector: string): readonly FakeSecret[] {
    return [...this.#secrets.values()]
      .filter((secret) => secret.namespace === namespace && matchesLabels(selector, secret.labels))
      .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
  }

  peek(ref: SecretRef): FakeSecret | undefined {
    const stored = this.#secrets.get(keyOf(ref));
    return stored && copyOf(stored);
  }

  all(): readonly FakeSecret[] {
    return [...this.#secrets.values()].map(copyOf);
  }

  #put(secret: Omit<FakeSecret, 'managed'>): FakeSecret {
    this.#secrets.set(keyOf(secret), copyOf(secret));
    return copyOf(secret);
  }
}

/** Pages of one list show the state in which the first page was read, as the real ones do. */
function createPages(state: FakeClusterState) {
  interface Rest {
    readonly secrets: readonly FakeSecret[];
    readonly resourceVersion: string;
  }
  const rests = new Map<string, Rest>();
  let tokens = 0;
  const restFor = (token: string | undefined, list: () => readonly FakeSecret[]): Rest => {
    if (token === undefined) return { secrets: list(), resourceVersion: state.revision() };
    const rest = rests.get(token);
    if (rest === undefined) throw new ServiceError('expired', 'The list has expired');
    return rest;
  };
  return {
    expire: () => {
      rests.clear();
    },
    page: (request: PageRequest, list: () => readonly FakeSecret[]): Page<FakeSecret> => {
      const { secrets, resourceVersion } = restFor(request.continueToken, list);
      const now = secrets.slice(0, request.limit).map(copyOf);
      const bytes = now.reduce((sum, secret) => sum + bytesOf(secret), 100);
      if (bytes > request.maxBytes) throw new ServiceError('responseTooLarge', 'The answer is too large');
      if (secrets.length <= request.limit) {
        return { items: now, resourceVersion, continueToken: undefined, bytes };
      }
      const continueToken = `token-${++tokens}`;
      rests.set(continueToken, { secrets: secrets.slice(request.limit), resourceVersion });
      return { items: now, resourceVersion, continueToken, bytes };
    },
  };
}

/** Values are what makes a Secret large. */
const NO_DATA: SecretData = new Map();

function withoutValues(page: Page<FakeSecret>): Page<SecretMetadata> {
  return { ...page, items: Iterator.from(page.items).map((secret) => metadataOf(secret)) };
}

/** A merge patch of texts: undefined removes. */
function merged(
  texts: ReadonlyMap<string, string>,
  change: ReadonlyMap<string, string | undefined> = new Map(),
): ReadonlyMap<string, string> {
  const next = new Map(texts);
  for (const [key, text] of change) {
    if (text === undefined) next.delete(key);
    else next.set(key, text);
  }
  return next;
}

function assertPreconditions(stored: FakeSecret, { uid, resourceVersion }: Preconditions): void {
  if (stored.uid !== uid || stored.resourceVersion !== resourceVersion) {
    throw new ServiceError('conflict', 'The Secret has changed');
  }
}

function required(secret: FakeSecret | undefined): FakeSecret {
  if (secret === undefined) throw new ServiceError('notFound', 'The Secret does not exist');
  return secret;
}

function keyOf({ namespace, name }: SecretRef): string {
  return `${namespace}/${name}`;
}

function refOf({ namespace, name }: SecretRef): SecretRef {
  return { namespace, name };
}
