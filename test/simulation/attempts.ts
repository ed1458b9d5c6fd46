import { isServiceError } from '../../src/errors/service-error.ts';
import type { Actor } from '../../src/access/actor.ts';
import type { SecretRef } from '../../src/kube/secret.ts';
import type { AuthorizedSecret } from '../../src/secrets/authorize.ts';
import type { SecretList } from '../../src/lists/list-body.ts';
import type { DeleteRequest } from '../../src/secrets/delete-secret.ts';
import type { ListJson } from '../harness/answers.ts';
import type {
  ListedItem,
  OperationOutcome,
  ListedVersion,
  OperationRequest,
} from '../consistency/recording.ts';
import { digestOfText } from '../consistency/secret-state.ts';
import { unhurriedCall } from '../fakes/fake-call.ts';
import { NAMESPACE } from './simulated-cluster.ts';
import type { SimulatedReplica } from './simulated-replica.ts';
import { inScope, refInScope } from '../fakes/in-scope.ts';

/** A request to a replica, and how it is sent. */
export interface Attempt {
  readonly request: OperationRequest;
  send(replica: Pick<SimulatedReplica, 'service' | 'lists' | 'nextRequest'>): Promise<OperationOutcome>;
}

/** Texts that no other write writes. */
export interface Written {
  readonly label: string;
  readonly data: Readonly<Record<string, string>>;
}

const ADMIN: Actor = {
  user: { sub: 'admin', email: 'admin@example.com', name: 'Admin', groups: [] },
  admin: true,
};
const WHOLE = { limit: undefined, token: undefined };
const NO_RULES = { allowedGroups: undefined, allowedUsers: undefined };

export function refTo(name: string): SecretRef {
  return { namespace: NAMESPACE, name };
}

export function createAttempt(name: string, { label, data }: Written): Attempt {
  const input = { name, type: undefined, data: new Map(Object.entries(data)), stringData: undefined };
  return {
    request: { do: 'create', name, label, digest: digestOfText(data) },
    async send({ service }) {
      const request = { ...input, ...NO_RULES, description: label };
      const { summary } = await service.create(
        { actor: ADMIN, namespace: inScope(NAMESPACE), request: () => request },
        unhurriedCall(),
      );
      return secretAnswer(summary);
    },
  };
}

export function updateAttempt(
  name: string,
  resourceVersion: string,
  { label, data }: Written,
  recoverCounter: boolean,
): Attempt {
  const digest = digestOfText(data);
  return {
    request: { do: 'update', name, revision: Number(resourceVersion), label, digest },
    async send({ service }) {
      const secret = await service.authorize(ADMIN, refInScope(refTo(name)), unhurriedCall());
      const values = Number(resourceVersion) % 2 === 0 ? replacement(data) : patchOf(secret, data);
      const request = { resourceVersion, recoverCounter, ...values, description: label, ...NO_RULES };
      return secretAnswer((await service.update(secret, request, unhurriedCall())).summary);
    },
  };
}

function replacement(data: Written['data']) {
  return { data: new Map(Object.entries(data)) };
}

/** The same values, key by key. */
function patchOf({ live }: AuthorizedSecret<'write'>, data: Written['data']) {
  const set = new Map(Object.entries(data));
  const remove = [...live.data.keys()].filter((key) => !set.has(key));
  return { data: undefined, patch: { set, setBinary: new Map<string, string>(), remove } };
}

export function restoreAttempt(
  name: string,
  resourceVersion: string,
  { version, source }: ListedVersion,
): Attempt {
  return {
    request: { do: 'restore', name, revision: Number(resourceVersion), version, source },
    async send({ service }) {
      const secret = await service.authorize(ADMIN, refInScope(refTo(name)), unhurriedCall());
      const from = { version, sourceResourceVersion: String(source) };
      const request = { resourceVersion, recoverCounter: false, ...from };
      return secretAnswer((await service.restore(secret, request, unhurriedCall())).summary);
    },
  };
}

export type Deletion = Pick<DeleteRequest, 'keepHistory' | 'archive'>;

export function deleteAttempt(name: string, resourceVersion: string, deletion: Deletion): Attempt {
  return {
    request: { do: 'delete', name, revision: Number(resourceVersion), ...deletion },
    async send({ service }) {
      const secret = await service.authorize(ADMIN, refInScope(refTo(name)), unhurriedCall());
      const result = await service.delete(secret, { resourceVersion, ...deletion }, unhurriedCall());
      return result.status === 'pending' ? { kind: 'pending' } : { ...result, kind: 'deleted' };
    },
  };
}

export function undeleteAttempt(name: string, uid: string): Attempt {
  return {
    request: { do: 'undelete', name, uid },
    async send({ service: { deleted } }) {
      const found = await deleted.authorize(ADMIN, { namespace: inScope(NAMESPACE), uid }, unhurriedCall());
      return secretAnswer((await deleted.restore(found, () => ({ name }), unhurriedCall())).summary);
    },
  };
}

export function purgeAttempt(name: string, uid: string): Attempt {
  return {
    request: { do: 'purge', name, uid },
    async send({ service: { deleted } }) {
      const found = await deleted.authorize(ADMIN, { namespace: inScope(NAMESPACE), uid }, unhurriedCall());
      await deleted.remove(found, unhurriedCall());
      return { kind: 'done' };
    },
  };
}

export function readAttempt(name: string): Attempt {
  return {
    request: { do: 'read', name },
    send: async ({ service }) =>
      secretAnswer(
        service.read(await service.authorize(ADMIN, refInScope(refTo(name)), unhurriedCall())).summary,
      ),
  };
}

export function versionsAttempt(name: string): Attempt {
  return {
    request: { do: 'versions', name },
    async send({ service }) {
      const secret = await service.authorize(ADMIN, refInScope(refTo(name)), unhurriedCall());
      const { uid, versions } = await service.listVersions(secret, unhurriedCall());
      const listed = versions.map(({ version, resourceVersion }) => ({
        version,
        source: Number(resourceVersion),
      }));
      return { kind: 'versions', uid, versions: listed };
    },
  };
}

export function listDeletedAttempt(): Attempt {
  return {
    request: { do: 'listDeleted' },
    async send({ service: { deleted } }) {
      const { deleted: listed } = await deleted.list(ADMIN, inScope(NAMESPACE), WHOLE, unhurriedCall());
      const items = listed.map(({ name, uid, deletedBy }) => ({ name, uid, by: deletedBy }));
      return { kind: 'deletedListed', items };
    },
  };
}

/** @param live not from the cache */
export function listAttempt(live: boolean): Attempt {
  return {
    request: { do: 'list' },
    send: async ({ lists }) => ({
      kind: 'listed',
      items: listedIn(await lists.list(ADMIN, inScope(NAMESPACE), { live }, unhurriedCall())).items,
    }),
  };
}

/** Page by page, each of one Secret: together they are one list. */
export function pagesAttempt(sort: 'name' | 'changed'): Attempt {
  return {
    request: { do: 'list' },
    async send({ lists, nextRequest }) {
      const items: ListedItem[] = [];
      let token: string | undefined;
      do {
        const request = { ...{ words: [], sort, limit: 1 }, token };
        const page = listedIn(await lists.page(ADMIN, inScope(NAMESPACE), request, unhurriedCall()));
        items.push(...page.items);
        token = page.continue;
        if (token !== undefined) await nextRequest();
      } while (token !== undefined);
      return { kind: 'listed', items };
    },
  };
}

function listedIn({ body }: SecretList): {
  readonly items: readonly ListedItem[];
  readonly continue?: string | undefined;
} {
  const list = JSON.parse(body.plain.toString()) as ListJson;
  const items = list.secrets.map(({ name, resourceVersion }) => ({
    name,
    revision: Number(resourceVersion),
  }));
  return { items, continue: list.continue };
}

function secretAnswer(summary: {
  readonly resourceVersion: string;
  readonly version: number;
}): OperationOutcome {
  return { kind: 'secret', revision: Number(summary.resourceVersion), version: summary.version };
}

/** What is refused so has not touched anything, not even the history. */
const BEFORE_EVERYTHING: readonly string[] = ['staleRevision', 'exists', 'invalidSecret'];

/** Refusals and failures are answers; anything else is a defect and ends the run. */
export function refusal(error: unknown): OperationOutcome {
  if (!isServiceError(error)) throw error;
  if (error.code === 'uncertain') return { kind: 'uncertain' };
  if (error.code === 'notFound') return { kind: 'refused', status: 404 };
  return { kind: 'refused', status: BEFORE_EVERYTHING.includes(error.code) ? 400 : 503 };
}
