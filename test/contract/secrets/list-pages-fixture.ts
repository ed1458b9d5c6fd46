import { jsonOf, type ListJson } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { openListFixture, type ListFixture } from './list-fixture.ts';

export interface PageJson extends ListJson {
  readonly total: number;
  readonly continue?: string;
}

interface ListPagesFixture extends ListFixture {
  readonly send: (client: ApiClient, query: string) => Promise<ApiAnswer>;
  readonly page: (query: string, client?: ApiClient) => Promise<PageJson>;
  /** The names on all pages, one page after the other. */
  readonly allPages: (query: string, client?: ApiClient) => Promise<readonly (readonly string[])[]>;
  /** The cache has what was seeded: a live list is never contradicted. */
  readonly settled: () => Promise<ListJson>;
}

export const namesOf = ({ secrets }: ListJson) => secrets.map(({ name }) => name);

export const next = ({ continue: token = 'none' }: PageJson, query = 'limit=2') =>
  `${query}&continue=${encodeURIComponent(token)}`;

export function openListPagesFixture(): ListPagesFixture {
  const lists = openListFixture();
  const { here, list } = lists;
  const send: ListPagesFixture['send'] = (client, query) =>
    client.get(`${secretsPath(here.namespace)}?${query}`);
  const page: ListPagesFixture['page'] = async (query, client = here.stack.admin) =>
    jsonOf(await send(client, query), 200) as PageJson;
  return {
    ...lists,
    send,
    page,
    async allPages(query, client = here.stack.admin) {
      const pages: PageJson[] = [await page(query, client)];
      for (let last = pages[0]; last?.continue !== undefined; last = pages.at(-1)) {
        pages.push(await page(next(last, query), client));
      }
      return pages.map(namesOf);
    },
    settled: () => list(here.stack.admin),
  };
}
