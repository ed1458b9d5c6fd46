import { routeTable, type AppDependencies } from '../../../src/api/http/app.ts';
import type { Method } from '../../../src/api/http/routes.ts';

export interface ListedRoute {
  readonly method: Method;
  readonly path: string;
}

/** The API's routes as the service has them. Making the table calls none of what handlers use. */
export function apiRoutes(): readonly ListedRoute[] {
  const config = {
    authDisabled: false,
    oidcConfigured: false,
    managedOnly: false,
    restartEnabled: false,
    version: '0',
  };
  const routes = routeTable({ config } as unknown as AppDependencies);
  return routes.filter(({ path }) => path.startsWith('/api/')).map(({ method, path }) => ({ method, path }));
}
