import type * as z from 'zod';
import { publicRoute, type PublicRoute } from '../runner/route.ts';
import { json, type Wire } from '../runner/route-response.ts';
import { configResponse } from './response-schemas.ts';

/** What `GET /api/config` returns to everyone. Nothing in it is secret. */
export type PublicConfig = Wire<z.output<typeof configResponse>>;

export function configRoute(config: PublicConfig): PublicRoute {
  return publicRoute({
    method: 'GET',
    path: '/api/config',
    access: 'public',
    budgetMs: 5_000,
    operationId: 'getConfig',
    tag: 'Service',
    summary: 'Public facts about this deployment',
    description: 'What pages and scripts need before anyone has signed in. Nothing secret is in it.',
    responses: {
      200: json({
        description: 'The facts.',
        schema: configResponse,
        example: {
          authDisabled: false,
          oidcConfigured: true,
          managedOnly: false,
          restartEnabled: false,
          consumersEnabled: false,
          version: '0.1.0',
        },
      }),
    },
    errors: [],
    handle: () => ({ status: 200, json: config }),
  });
}
