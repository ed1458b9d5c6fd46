import * as z from 'zod';
import { ACCESS_SOURCES } from '../../access/decision.ts';
import { ACCESS_LEVELS } from '../../contract/access-rules.ts';
import { isNamespaceName, NAMESPACE_RULE } from '../../contract/names.ts';
import { json, secretRoute, sessionRoute, type ApiRoute } from '../runner/route.ts';
import { parseQuery } from './query-parameters.ts';
import { ruleLists, namespacesResponse, timestamp } from './response-schemas.ts';
import { CLUSTER_ERRORS, LIST_ERRORS, NAMED } from './secret-record.ts';

const accessQuery = z.object({
  namespace: z
    .string()
    .refine(isNamespaceName, NAMESPACE_RULE)
    .optional()
    .meta({ description: 'The level on its Secrets without lists of their own.', examples: ['shared'] }),
});

const explanationResponse = z.strictObject({
  level: z.enum(['none', ...ACCESS_LEVELS]).describe('What you may do. Each level includes those before it.'),
  by: z.enum(ACCESS_SOURCES).describe('What gives you the level.'),
  namespaceRules: z
    .discriminatedUnion('state', [
      z.strictObject({ state: z.literal('rules'), ...ruleLists }),
      z.strictObject({ state: z.enum(['open', 'hidden', 'unusable']) }),
    ])
    .meta({ id: 'NamespaceRules', description: 'The rules of a namespace, as far as you may know them.' }),
  machines: z
    .array(
      z.strictObject({
        name: z.string().describe('Of the binding.'),
        issuer: z.string().describe('The configured name of the issuer of its tokens.'),
        level: z.enum(ACCESS_LEVELS),
        lastSeenAt: timestamp.optional().describe('By this replica, since its start. RFC 3339, UTC.'),
      }),
    )
    .optional()
    .describe('Machines that are bound to it, if you may know the rules of the namespace.'),
});
const accessResponse = z.strictObject({
  admin: z.boolean().describe('Whether you are an administrator of the service.'),
  ...explanationResponse.partial().shape,
});

/** What the caller may do, and why. */
export const accessRoutes: readonly ApiRoute[] = [
  sessionRoute({
    method: 'GET',
    path: '/api/access',
    level: 'none',
    action: 'secret.access',
    operationId: 'getAccess',
    tag: 'Authentication',
    summary: 'Whether you are an administrator, and what you may do in a namespace',
    description:
      'Administrators are above the rules of Secrets and namespaces. With `namespace`: the level on Secrets without lists of their own, and for creating, and what gives it.',
    query: accessQuery,
    responses: {
      200: json('What you are. The level is left out where it depends on a namespace.', accessResponse),
    },
    async handle({ services: { authorizer }, actor, query, deadline }) {
      const { admin } = actor;
      const { namespace: named } = parseQuery(accessQuery, query);
      if (named === undefined) return { status: 200, json: { admin, ...(admin && ADMIN_ACCESS) } };
      const access = authorizer.accessWithin(actor, authorizer.requireScope(named));
      return { status: 200, json: { admin, ...(await access.explain(deadline)) } };
    },
  }),
  secretRoute({
    method: 'GET',
    path: `${NAMED}/access`,
    level: 'read',
    action: 'secret.access',
    operationId: 'explainAccess',
    tag: 'Secrets',
    summary: 'What you may do with the Secret, and why',
    description: 'With the rules of its namespace, for administrators and those whom these rules let in.',
    responses: { 200: json('The level, and the reason.', explanationResponse) },
    handle: async ({ secret, deadline }) => ({ status: 200, json: await secret.access.explain(deadline) }),
  }),
  sessionRoute({
    method: 'GET',
    path: '/api/namespaces',
    level: 'none',
    operationId: 'listNamespaces',
    tag: 'Secrets',
    summary: 'The namespaces in scope',
    description: 'Ordered by name, without those of the system itself unless the configuration names them.',
    responses: { 200: json('The namespaces.', namespacesResponse) },
    errors: [...LIST_ERRORS, ...CLUSTER_ERRORS],
    async handle({ services: { authorizer }, actor, deadline }) {
      return { status: 200, json: { namespaces: await authorizer.namespaces(actor, deadline) } };
    },
  }),
];

const ADMIN_ACCESS = { level: 'manage', by: 'admin' } as const;
