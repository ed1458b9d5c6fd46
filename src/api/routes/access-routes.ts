import type { Authorizer } from '../../access/authorizer.ts';
import { secretRoute, sessionRoute, type ApiRoute } from '../runner/route.ts';
import { json } from '../runner/route-response.ts';
import { accessResponse, explanationResponse } from './response-schemas.ts';
import { NAMED } from './secret-paths.ts';

const LOCAL_BUDGET_MS = 5_000;
const READ_BUDGET_MS = 15_000;

/** What the caller may do, and why. */
export function accessRoutes(authorizer: Pick<Authorizer, 'explain'>): readonly ApiRoute[] {
  return [accessRoute(), explanationRoute(authorizer)];
}

function accessRoute(): ApiRoute {
  return sessionRoute({
    method: 'GET',
    path: '/api/access',
    access: 'session',
    budgetMs: LOCAL_BUDGET_MS,
    operationId: 'getAccess',
    tag: 'Authentication',
    summary: 'Whether you are an administrator',
    description: 'Administrators are above the rules of Secrets and namespaces.',
    responses: {
      200: json({ description: 'What you are.', schema: accessResponse, example: { admin: false } }),
    },
    errors: [],
    handle: ({ actor: { admin } }) => ({ status: 200, json: { admin } }),
  });
}

function explanationRoute(authorizer: Pick<Authorizer, 'explain'>): ApiRoute {
  return secretRoute({
    method: 'GET',
    path: `${NAMED}/access`,
    access: 'secret',
    action: 'secret.access',
    budgetMs: READ_BUDGET_MS,
    operationId: 'explainAccess',
    tag: 'Secrets',
    summary: 'Why you have access to the Secret',
    description:
      'And the rules of its namespace, for administrators and for those whom these rules let in. The Secret itself has its own.',
    responses: {
      200: json({
        description: 'The reason.',
        schema: explanationResponse,
        example: {
          by: 'namespace',
          namespaceRules: { state: 'rules', allowedGroups: ['team-a'], allowedUsers: [] },
        },
      }),
    },
    errors: [],
    async handle({ actor, namespace, secret, deadline }) {
      const explanation = await authorizer.explain(actor, namespace, secret.live.managed, deadline);
      return { status: 200, json: explanation };
    },
  });
}
