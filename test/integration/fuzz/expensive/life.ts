import { secretsPath } from '../../../harness/secret-paths.ts';
import type { Choices } from '../random.ts';
import { anyQuery } from './queries.ts';
import { annotationsOf, anyExpensiveSecret, type ExpensiveSecret } from './secrets.ts';

export interface LifeAnswer {
  readonly status: number;
  readonly text: string;
}

/** Where a Secret lives: each of its calls is measured. */
export interface Place {
  readonly namespace: string;
  /** One request, by what it is called. */
  readonly send: (what: string, request: LifeRequest) => Promise<LifeAnswer>;
  /** What someone does with kubectl, false if the cluster refused; what the service does of it is measured. */
  readonly kubectl: (what: string, change: KubeChange) => Promise<boolean>;
}

export interface LifeRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  /** Someone who is no administrator. */
  readonly asGuest?: boolean;
}

export type KubeChange =
  | { readonly create: string; readonly secret: ExpensiveSecret; readonly annotations: object }
  | { readonly remove: string };

/** A Secret and what is looked for in it: all that is random of a life. */
export interface Life {
  readonly secret: ExpensiveSecret;
  readonly queries: readonly string[];
}

export function anyLife(choices: Choices): Life {
  const secret = anyExpensiveSecret(choices);
  return { secret, queries: Array.from({ length: 3 }, () => anyQuery(choices, secret.words)) };
}

/** From a Secret's creation to the last of its history. */
export async function live({ secret, queries }: Life, name: string, place: Place): Promise<void> {
  if (!(await create(secret, name, place))) return;
  const path = secretsPath(place.namespace, name);
  await change(secret, path, place);
  await look(queries, path, place);
  await remove(name, path, place);
}

async function create(
  secret: ExpensiveSecret,
  name: string,
  { namespace, send, kubectl }: Place,
): Promise<boolean> {
  const { type, data, description, allowedGroups, allowedUsers, by } = secret;
  if (by === 'service') {
    const body = { name, type, data, description, allowedGroups, allowedUsers };
    const { status } = await send('POST', { method: 'POST', path: secretsPath(namespace), body });
    if (status === 201) return true;
  }
  // What the service refuses may exist all the same.
  return kubectl('creation with kubectl', { create: name, secret, annotations: annotationsOf(secret) });
}

async function change(
  { data, variants, allowedUsers }: ExpensiveSecret,
  path: string,
  { send }: Place,
): Promise<void> {
  const revision = async (): Promise<string> => revisionIn(await send('GET', { path }));
  const put = async (what: string, body: object): Promise<LifeAnswer> =>
    send(what, { method: 'PUT', path, body: { resourceVersion: await revision(), ...body } });
  for (const values of [data, ...variants]) await put('PUT of values', { data: values });
  await put('PUT of rules', { allowedUsers: allowedUsers.map((user) => `other-${user}`) });
  await put('PUT of a description', { description: 'short' });
  await send('GET of versions', { path: `${path}/versions` });
  await send('GET of a version', { path: `${path}/versions/1` });
  const body = { resourceVersion: await revision(), version: 1 };
  await send('POST of a restore', { method: 'POST', path: `${path}/restore`, body });
}

async function look(queries: readonly string[], path: string, { namespace, send }: Place): Promise<void> {
  const list = secretsPath(namespace);
  for (const asGuest of [false, true]) {
    await send('GET', { path, asGuest });
    await send('GET of access', { path: `${path}/access`, asGuest });
    await send('list', { path: list, asGuest });
    await send('page', { path: `${list}?limit=500&sort=changed`, asGuest });
    for (const query of queries) {
      const q = encodeURIComponent(query.toWellFormed());
      await send('page of a query', { path: `${list}?limit=100&q=${q}`, asGuest });
      await send('search', { path: `/api/search?limit=200&q=${q}`, asGuest });
    }
  }
}

async function remove(name: string, path: string, { namespace, send, kubectl }: Place): Promise<void> {
  const answer = await send('GET', { path });
  const query = `?resourceVersion=${revisionIn(answer)}&keepHistory=true&archive=true`;
  const { status } = await send('DELETE', { method: 'DELETE', path: `${path}${query}` });
  const deleted = `/api/namespaces/${namespace}/deleted`;
  const listed = await send('list of deleted Secrets', { path: deleted });
  if (status === 200) await send('removal', { method: 'DELETE', path: `${deleted}/${uidIn(listed)}` });
  else await kubectl('deletion with kubectl', { remove: name });
}

const revisionIn = ({ text }: LifeAnswer): string => /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? '';
const uidIn = ({ text }: LifeAnswer): string => /"uid":"([^"]+)"/.exec(text)?.[1] ?? '';
