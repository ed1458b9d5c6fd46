import { openApiDocument } from '../openapi.ts';
import type { Route } from '../http/routes.ts';

/** Serves the document of `routes` and of itself; made once, since routes do not change. */
export function withOpenApi(routes: readonly Route[], version: string): readonly Route[] {
  const own = { method: 'GET', path: '/api/openapi.json', access: 'public', budgetMs: 5_000 } as const;
  const document = openApiDocument([...routes, own], version);
  return [...routes, { ...own, handle: () => Promise.resolve({ status: 200, json: document }) }];
}
