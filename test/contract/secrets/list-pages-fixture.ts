import { jsonOf, type ListJson } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { list, namespace, stack } from './list-fixture.ts';

export interface PageJson extends ListJson {
  readonly total: number;
  readonly continue?: string;
}

export const send = (client: ApiClient, query: string): Promise<ApiAnswer> =>
  client.get(`${secretsPath(namespace)}?${query}`);

export const page = async (query: string, client = stack.admin): Promise<PageJson> =>
  jsonOf(await send(client, query), 200) as PageJson;

export const namesOf = ({ secrets }: ListJson) => secrets.map(({ name }) => name);

export const next = ({ continue: token = 'none' }: PageJson, query = 'limit=2') =>
  `${query}&continue=${encodeURIComponent(token)}`;

/** The names on all pages, one page after the other. */
export async function allPages(query: string, client = stack.admin): Promise<readonly (readonly string[])[]> {
  const pages: PageJson[] = [await page(query, client)];
  for (let last = pages[0]; last?.continue !== undefined; last = pages.at(-1)) {
    pages.push(await page(next(last, query), client));
  }
  return pages.map(namesOf);
}

/** The cache has what was seeded: a live list is never contradicted. */
export const settled = () => list(stack.admin);
