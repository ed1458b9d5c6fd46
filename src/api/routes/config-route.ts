import type { Route } from '../http/routes.ts';

/** What `GET /api/config` tells everyone; nothing secret is in it. */
export interface PublicConfig {
  readonly authDisabled: boolean;
  readonly oidcConfigured: boolean;
  /** Unmanaged Secrets are hidden. */
  readonly managedOnly: boolean;
  readonly restartEnabled: boolean;
  readonly version: string;
}

export function configRoute(config: PublicConfig): Route {
  return {
    method: 'GET',
    path: '/api/config',
    access: 'public',
    budgetMs: 5_000,
    handle: () => Promise.resolve({ status: 200, json: config }),
  };
}
