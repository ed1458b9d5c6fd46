import type { ApiAnswer, ApiClient } from '../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../harness/secret-paths.ts';
import type { KubeClient } from '../harness/kube-client.ts';
import { isServiceError } from '../../src/errors/service-error.ts';
import { answerOf } from './answers.ts';
import { MEMBERS } from './judge/lists.ts';
import { ACTORS, KINDS, NAMES, type Kind } from './kinds.ts';
import { ANNOTATIONS } from './names.ts';
import { pickOf, pickWeighted, type Random } from './random.ts';
import {
  isAcknowledged,
  REQUEST_KINDS,
  type OperationOutcome,
  type ListedVersion,
  type Operation,
  type OperationRequest,
} from './recording.ts';
import type { Replica, ReplicaSet } from './replica-set.ts';
import { digestOfText } from './secret-state.ts';

export interface WorkloadOptions {
  readonly replicas: ReplicaSet;
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly random: Random;
  readonly writers: number;
  /** @param everyKind whether at least one request of each kind is acknowledged */
  readonly isOver: (acknowledged: number, everyKind: boolean) => boolean;
}

/** What writers have learned of a name; often out of date, which is what makes them collide. */
interface Known {
  revision: number;
  versions: readonly ListedVersion[];
}

/** Has writers work through all replicas, and beside them, until it is over; returns what came of everything. */
export async function runWorkload(options: WorkloadOptions): Promise<readonly Operation[]> {
  const workload = new Workload(options);
  await Promise.all(Array.from({ length: options.writers }, () => workload.write()));
  return workload.operations;
}

class Workload {
  readonly operations: Operation[] = [];
  readonly #options: WorkloadOptions;
  readonly #known = new Map<string, Known>();
  /** The uids of Secrets that were deleted with archive. */
  readonly #deleted = new Set<string>();
  readonly #kindsLeft = new Set<string>(REQUEST_KINDS);
  #acknowledged = 0;
  #labels = 0;

  constructor(options: WorkloadOptions) {
    this.#options = options;
  }

  async write(): Promise<void> {
    const { random, replicas, isOver } = this.#options;
    while (!isOver(this.#acknowledged, this.#kindsLeft.size === 0)) {
      const name = pickOf(random, NAMES);
      const replica = await replicas.pick(random);
      await this.#perform(pickWeighted(random, KINDS), name, replica);
    }
  }

  async #perform(kind: Kind, name: string, replica: Replica): Promise<void> {
    switch (kind) {
      case 'create':
        return this.#create(name, replica);
      case 'update':
        return this.#update(name, replica, {});
      case 'stale':
        return this.#update(name, replica, { stale: true });
      case 'recover':
        return this.#update(name, replica, { recover: true });
      case 'restore':
        return this.#restore(name, replica);
      case 'delete':
        return this.#delete(name, replica);
      case 'read':
        return this.#send(replica, { do: 'read', name }, (client) => client.get(this.#path(name)));
      case 'list':
        return this.#list(replica);
      case 'listDeleted':
        return this.#send(replica, { do: 'listDeleted' }, (client) => client.get(this.#deletedPath()));
      case 'undelete':
      case 'purge':
        return this.#ofDeleted(kind, replica);
      case 'versions':
        return this.#send(replica, { do: 'versions', name }, (client) =>
          client.get(this.#path(name, 'versions')),
        );
      default:
        return this.#beside(kind, name);
    }
  }

  #create(name: string, replica: Replica): Promise<void> {
    const { label, data, digest } = this.#values();
    const allowedGroups = this.#options.random() < 0.3 ? [MEMBERS] : [];
    return this.#send(replica, { do: 'create', name, label, digest }, (client) =>
      client.post(this.#path(), { name, data, description: label, allowedGroups }),
    );
  }

  async #update(
    name: string,
    replica: Replica,
    { stale = false, recover = false }: { readonly stale?: boolean; readonly recover?: boolean },
  ): Promise<void> {
    const { random } = this.#options;
    const known = this.#known.get(name);
    if (known === undefined) return;
    const revision = stale ? known.revision - 1 : known.revision;
    const { label, data, digest } = this.#values();
    // Values, or the description alone; both together are the usual edit.
    const keepsValues = random() < 0.2;
    const body = {
      resourceVersion: String(revision),
      description: label,
      ...(keepsValues ? {} : { data }),
      ...(random() < 0.1 ? { allowedGroups: random() < 0.5 ? [] : [MEMBERS] } : {}),
      ...(recover ? { recoverCounter: true } : {}),
    };
    const request = {
      do: 'update',
      name,
      revision,
      label,
      digest: keepsValues ? undefined : digest,
    } as const;
    const send = (client: ApiClient) => client.put(this.#path(name), body);
    await this.#send(replica, request, send, recover ? 'admin' : undefined);
  }

  async #restore(name: string, replica: Replica): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined || known.versions.length === 0) return;
    const { version, source } = pickOf(this.#options.random, known.versions);
    const { revision } = known;
    const body = { resourceVersion: String(revision), version, sourceResourceVersion: String(source) };
    await this.#send(replica, { do: 'restore', name, revision, version, source }, (client) =>
      client.post(this.#path(name, 'restore'), body),
    );
  }

  async #delete(name: string, replica: Replica): Promise<void> {
    const known = this.#known.get(name);
    if (known === undefined) return;
    const keepHistory = this.#options.random() < 0.5;
    const archive = keepHistory && this.#options.random() < 0.7;
    const { revision } = known;
    const query = `?resourceVersion=${revision}&keepHistory=${keepHistory}&archive=${archive}`;
    await this.#send(replica, { do: 'delete', name, revision, keepHistory, archive }, (client) =>
      client.delete(`${this.#path(name)}${query}`),
    );
  }

  /** A deleted Secret under a name that seems to be free, or its end. */
  async #ofDeleted(kind: 'undelete' | 'purge', replica: Replica): Promise<void> {
    const { random } = this.#options;
    if (this.#deleted.size === 0) return;
    const uid = pickOf(random, [...this.#deleted]);
    const free = NAMES.filter((one) => !this.#known.has(one));
    const name = pickOf(random, free.length > 0 ? free : NAMES);
    const path = `${this.#deletedPath()}/${uid}`;
    const send = (client: ApiClient) =>
      kind === 'undelete' ? client.post(`${path}/restore`, { name }) : client.delete(path);
    await this.#send(replica, { do: kind, name, uid }, send, 'admin');
  }

  #list(replica: Replica): Promise<void> {
    const headers = this.#options.random() < 0.3 ? { 'cache-control': 'no-cache' } : {};
    return this.#send(replica, { do: 'list' }, (client) => client.get(this.#path(), { headers }));
  }

  async #send(
    replica: Replica,
    request: OperationRequest,
    send: (client: ApiClient) => Promise<ApiAnswer>,
    actor: Operation['actor'] = pickWeighted(this.#options.random, ACTORS),
  ): Promise<void> {
    const begun = performance.now();
    const answer = await send(replica.client(actor)).then(
      (received) => answerOf(request, received),
      (): OperationOutcome => ({ kind: 'lost' }),
    );
    this.#note({ request, replica: replica.number, actor, begun, answer });
    await this.#learn(request, answer);
  }

  #note(operation: Omit<Operation, 'id' | 'ended'>): void {
    const noted = { ...operation, id: this.operations.length, ended: performance.now() };
    this.operations.push(noted);
    if (!isAcknowledged(noted)) return;
    this.#kindsLeft.delete(noted.request.do);
    if (noted.replica !== undefined) this.#acknowledged++;
  }

  /** After a conflict writers look again, as people do. */
  async #learn(request: OperationRequest, answer: OperationOutcome): Promise<void> {
    if (!('name' in request)) return;
    const { name } = request;
    if (request.do === 'delete' && request.archive === true && answer.kind === 'deleted')
      this.#deleted.add(answer.uid);
    if (request.do === 'purge' || (request.do === 'undelete' && answer.kind !== 'secret')) {
      const isGone = answer.kind === 'done' || (answer.kind === 'refused' && answer.status === 404);
      if (isGone) this.#deleted.delete(request.uid);
      return;
    }
    const known = this.#known.get(name) ?? { revision: 0, versions: [] };
    if (answer.kind === 'secret') {
      this.#known.set(name, { ...known, revision: answer.revision });
    } else if (answer.kind === 'versions') {
      this.#known.set(name, { ...known, versions: answer.versions });
    } else if (answer.kind === 'deleted') {
      this.#known.delete(name);
    } else if (answer.kind === 'refused' && answer.status === 404 && request.do !== 'restore') {
      this.#known.delete(name);
    } else if (request.do !== 'read') {
      const replica = await this.#options.replicas.pick(this.#options.random);
      await this.#send(replica, { do: 'read', name }, (client) => client.get(this.#path(name)), 'admin');
    }
  }

  /** With kubectl. What fails there is not the service's business; it may have happened all the same. */
  async #beside(
    kind: 'edit' | 'setCounter' | 'removeSnapshot' | 'changePolicy',
    name: string,
  ): Promise<void> {
    const begun = performance.now();
    const request = await this.#kubectl(kind, name).catch((error: unknown) => {
      if (!isServiceError(error)) throw error;
      return undefined;
    });
    if (request === undefined) return;
    this.#note({ request, replica: undefined, actor: 'admin', begun, answer: { kind: 'done' } });
  }

  async #kubectl(kind: string, name: string): Promise<OperationRequest | undefined> {
    const { kube, namespace, random } = this.#options;
    switch (kind) {
      case 'edit': {
        const bytes =
          random() < 0.05 ? Buffer.from([0, 255, random() * 255]) : Buffer.from(`edited ${random()}`);
        if (this.#known.has(name))
          await kube.patchSecret(namespace, name, { data: { key: bytes.toString('base64') } });
        else await kube.createSecret(namespace, nativeSecret(name, { key: bytes }));
        return { do: 'edit', name };
      }
      case 'setCounter': {
        const counter = random() < 0.5 ? null : String(Math.floor(random() * 30));
        await kube.patchSecret(namespace, name, {
          metadata: { annotations: { [ANNOTATIONS.version]: counter } },
        });
        return { do: 'edit', name };
      }
      case 'changePolicy': {
        if (random() < 0.4) await kube.removePolicy(namespace);
        else
          await kube.setPolicy(namespace, {
            allowedGroups: JSON.stringify(random() < 0.9 ? [MEMBERS] : ['others']),
          });
        return undefined;
      }
      default:
        return this.#removeSnapshot();
    }
  }

  /** Noted before it happens: whatever comes of it, this snapshot's end is excused. */
  async #removeSnapshot(): Promise<undefined> {
    const { kube, namespace, random } = this.#options;
    const snapshots = (await kube.listSecrets(namespace)).filter(
      ({ metadata }) => metadata.annotations?.[ANNOTATIONS.historyUid] !== undefined,
    );
    if (snapshots.length === 0) return undefined;
    const { name, uid = '' } = pickOf(random, snapshots).metadata;
    const begun = performance.now();
    const request = { do: 'removeSnapshot', name, uid } as const;
    this.#note({ request, replica: undefined, actor: 'admin', begun, answer: { kind: 'done' } });
    await kube.deleteSecret(namespace, name);
    return undefined;
  }

  #values(): { readonly label: string; readonly data: Record<string, string>; readonly digest: string } {
    const label = `label ${++this.#labels}`;
    const data = { key: `value ${this.#labels}` };
    return { label, data, digest: digestOfText(data) };
  }

  #deletedPath(): string {
    return `/api/namespaces/${this.#options.namespace}/deleted`;
  }

  #path(name?: string, below?: string): string {
    return secretsPath(this.#options.namespace, name, below);
  }
}
