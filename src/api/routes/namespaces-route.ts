import type { Authorizer } from '../../access/authorizer.ts';
import { sessionRoute, type SessionRoute } from '../runner/route.ts';
import { json } from '../runner/route-response.ts';
import { namespacesResponse } from './response-schemas.ts';

export function namespacesRoute(authorizer: Pick<Authorizer, 'namespaces'>): SessionRoute {
  return sessionRoute({
    method: 'GET',
    path: '/api/namespaces',
    access: 'session',
    level: 'none',
    budgetMs: 15_000,
    operationId: 'listNamespaces',
    tag: 'Secrets',
    summary: 'The namespaces in scope',
    description:
      'Ordered by name, without the namespaces of the system itself unless the configuration names them.',
    responses: {
      200: json({
        description: 'The namespaces.',
        schema: namespacesResponse,
        example: { namespaces: [{ name: 'shared', canCreate: true }] },
      }),
    },
    errors: ['listFailed', 'listInconsistent', 'listOverBudget', 'expired', 'unavailable', 'rbacForbidden'],
    async handle({ actor, deadline }) {
      return { status: 200, json: { namespaces: await authorizer.namespaces(actor, deadline) } };
    },
  });
}
