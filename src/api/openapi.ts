import type * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import * as answers from './routes/response-schemas.ts';
import { restartBody } from './routes/workload-schemas.ts';
import type { Method, Route } from './http/routes.ts';
import { COLLECTION, NAMED } from './routes/secret-paths.ts';
import { createBody, restoreBody, updateBody } from './routes/secret-schemas.ts';

interface Operation {
  readonly summary: string;
  readonly tag: 'Authentication' | 'Service' | 'Secrets' | 'History' | 'Consumers';
  readonly body?: z.ZodType;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** Successful answers by status; a redirect has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | 'redirect'>>;
  /** Statuses of `{error}` answers beyond those that every such route has. */
  readonly errors: readonly number[];
  readonly query?: readonly { readonly name: string; readonly required: boolean; readonly about: string }[];
  /** Request headers that change the answer, all of them optional. */
  readonly headers?: readonly { readonly name: string; readonly about: string }[];
  /** Headers of a successful answer, beyond those that every answer has. */
  readonly answerHeaders?: Readonly<Record<string, { readonly about: string; readonly schema: object }>>;
}

/** What the document says of each route; a route without a row does not get past the tests. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/auth/login': {
    summary: 'Begin a login',
    tag: 'Authentication',
    answers: { 302: 'redirect' },
    errors: [429, 501, 502],
  },
  'GET /api/auth/callback': {
    summary: 'End a login; the provider sends the browser here',
    tag: 'Authentication',
    answers: { 302: 'redirect' },
    errors: [429],
  },
  'GET /api/auth/me': {
    summary: 'Who is signed in',
    tag: 'Authentication',
    answers: { 200: answers.meAnswer, 401: answers.nobodyAnswer },
    errors: [],
  },
  'GET /api/auth/logout': {
    summary: 'End the session and go to the sign-in page, or to the logout of the provider',
    tag: 'Authentication',
    answers: { 302: 'redirect' },
    errors: [],
  },
  'POST /api/auth/logout': {
    summary: 'End the session',
    tag: 'Authentication',
    answers: { 200: answers.logoutAnswer },
    errors: [403],
  },
  'GET /api/config': {
    summary: 'Public facts about this deployment',
    tag: 'Service',
    answers: { 200: answers.configAnswer },
    errors: [],
  },
  'GET /api/openapi.json': {
    summary: 'This document',
    tag: 'Service',
    answers: { 200: answers.documentAnswer },
    errors: [],
  },
  'GET /api/namespaces': {
    summary: 'The namespaces in scope',
    tag: 'Secrets',
    answers: { 200: answers.namespacesAnswer },
    errors: [401, 429, 503],
  },
  [`GET ${COLLECTION}`]: {
    summary: 'List the Secrets that one may see, without values',
    tag: 'Secrets',
    headers: [{ name: 'Cache-Control', about: '`no-cache`: collect the list from the cluster now.' }],
    answerHeaders: {
      'X-List-Source': {
        about: 'Where the list came from; the body is the same either way.',
        schema: { type: 'string', enum: ['cache', 'live'] },
      },
      Age: {
        about: 'Of a list from the cache: seconds since the cluster last vouched for it.',
        schema: { type: 'integer', minimum: 0 },
      },
    },
    answers: { 200: answers.listAnswer },
    errors: [400, 401, 403, 429, 503],
  },
  [`POST ${COLLECTION}`]: {
    summary: 'Create a Secret',
    tag: 'Secrets',
    body: createBody,
    answers: { 201: answers.summaryAnswer },
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 503],
  },
  [`GET ${NAMED}`]: {
    summary: 'Read a Secret with its values',
    tag: 'Secrets',
    answers: { 200: answers.detailAnswer },
    errors: [400, 401, 403, 404, 429, 503],
  },
  [`PUT ${NAMED}`]: {
    summary: 'Update a Secret; its previous state is archived first',
    tag: 'Secrets',
    body: updateBody,
    answers: { 200: answers.detailAnswer },
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 503],
  },
  [`DELETE ${NAMED}`]: {
    summary: 'Delete a Secret, and its history unless told to keep it',
    tag: 'Secrets',
    query: [
      { name: 'resourceVersion', required: true, about: 'The revision from the loaded detail.' },
      {
        name: 'keepHistory',
        required: false,
        about: '`true` or `false` (default): leave the snapshots alone.',
      },
    ],
    answers: { 200: answers.deletedAnswer, 202: answers.pendingAnswer },
    errors: [400, 401, 403, 404, 409, 429, 503],
  },
  [`GET ${NAMED}/versions`]: {
    summary: 'List the archived versions, without values',
    tag: 'History',
    answers: { 200: answers.versionsAnswer },
    errors: [400, 401, 403, 404, 429, 503],
  },
  [`GET ${NAMED}/versions/:version`]: {
    summary: 'Read an archived version with its values',
    tag: 'History',
    answers: { 200: answers.versionAnswer },
    errors: [400, 401, 403, 404, 429, 503],
  },
  [`POST ${NAMED}/restore`]: {
    summary: 'Restore the values of an archived version as a new version',
    tag: 'History',
    body: restoreBody,
    answers: { 200: answers.detailAnswer },
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 429, 503],
  },
  [`GET ${NAMED}/consumers`]: {
    summary: 'List the workloads whose pods use the Secret',
    tag: 'Consumers',
    answers: { 200: answers.consumersAnswer },
    errors: [400, 401, 403, 404, 429, 501, 503],
  },
  [`POST ${NAMED}/restart`]: {
    summary: 'Restart workloads that use the Secret, all of them or those that are named',
    tag: 'Consumers',
    body: restartBody,
    bodyOptional: true,
    answers: { 200: answers.restartAnswer },
    errors: [400, 401, 403, 404, 413, 415, 422, 429, 501, 503],
  },
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'A parameter, a field or the body is malformed; the text names it and the rule.',
  401: 'No valid session.',
  403: 'Denied by access rules, namespace policy or scope, or a write from another site.',
  404: 'Absent, hidden, or not archived.',
  409: 'The name exists, or the Secret changed meanwhile; reload and try again.',
  413: 'The body, the values together or the annotations together are too large.',
  415: 'The body is not application/json in UTF-8.',
  422: 'The Secret would break the rules of its type, or change what must not change; or a named workload does not use it.',
  429: 'Too many requests; Retry-After says when to come back.',
  501: 'Not configured: OpenID Connect for a login, restart for consumers.',
  502: 'The identity provider cannot be used.',
  503: 'The cluster, the history or the policy is unavailable, or the outcome is uncertain; the text says which.',
};

/** The OpenAPI 3.1 document of the routes, made from the schemas that validate. */
export function openApiDocument(
  routes: readonly Pick<Route, 'method' | 'path' | 'access'>[],
  version: string,
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const { method, path, access } of routes) {
    const operation = OPERATIONS[`${method} ${path}`];
    if (operation === undefined) throw new TypeError(`${method} ${path} is missing in the OpenAPI document`);
    const key = path.replaceAll(/:([a-z]+)/g, '{$1}');
    paths[key] = {
      ...paths[key],
      [METHOD_KEY[method]]: operationObject(operation, path, access !== 'public'),
    };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Secrets Management Service',
      version,
      description: 'Manage Kubernetes Secrets, with history, without cluster credentials.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'service_session' } },
    },
  });
}

const METHOD_KEY = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const satisfies Record<
  Method,
  string
>;

function operationObject(operation: Operation, path: string, signedIn: boolean): ZodOpenApiOperationObject {
  const responses: Record<string, object> = {};
  const headers = operation.answerHeaders === undefined ? {} : headerObjects(operation.answerHeaders);
  for (const [status, schema] of Object.entries(operation.answers)) {
    responses[status] =
      schema === 'redirect'
        ? { description: 'Redirect' }
        : { description: 'Success', ...headers, content: { 'application/json': { schema } } };
  }
  for (const status of operation.errors) {
    responses[status] = {
      description: ERRORS[status] ?? 'Error',
      content: { 'application/json': { schema: answers.errorAnswer } },
    };
  }
  const segments = [...path.matchAll(/:([a-z]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: name === 'version' ? ('integer' as const) : ('string' as const) },
  }));
  const query = (operation.query ?? []).map(({ name, required, about }) => ({
    name,
    in: 'query' as const,
    required,
    description: about,
    schema: { type: 'string' as const },
  }));
  const header = (operation.headers ?? []).map(({ name, about }) => ({
    name,
    in: 'header' as const,
    required: false,
    description: about,
    schema: { type: 'string' as const },
  }));
  return {
    summary: operation.summary,
    tags: [operation.tag],
    parameters: [...segments, ...query, ...header],
    ...(signedIn ? { security: [{ session: [] }] } : {}),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: { 'application/json': { schema: operation.body } },
          },
        }),
    responses,
  } as ZodOpenApiOperationObject;
}

function headerObjects(headers: NonNullable<Operation['answerHeaders']>): { readonly headers: object } {
  const described = Object.entries(headers).map(([name, { about, schema }]) => [
    name,
    { description: about, schema },
  ]);
  return { headers: Object.fromEntries(described) as object };
}
