import { routeTable, type AppDependencies } from '../../src/api/app.ts';
import type { ApiRoute } from '../../src/api/runner/route.ts';
import { openApiDocument } from '../../src/api/openapi.ts';

/** The API's routes as the service has them. */
export function apiRoutes(): readonly ApiRoute[] {
  const nothing = { config: { version: '0' } } as unknown as AppDependencies;
  return routeTable(nothing).filter((route) => route.access !== 'page');
}

/** The OpenAPI document as a client reads it. */
export function apiDocument(): object {
  return JSON.parse(JSON.stringify(openApiDocument(apiRoutes(), '0.1.0'))) as object;
}
