import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { RequestBody, Wire } from './runner/request-body.ts';
import { json, publicRoute, TAGS, type ApiRoute, type RouteOf } from './runner/route.ts';
import { ERRORS } from './error-responses.ts';
import { documentResponse, errorResponse, failureHeadersOf } from './routes/response-schemas.ts';
import type { ErrorCode } from '../errors/service-error.ts';

type Errors = readonly ErrorCode[];

/** A machine needs a binding, which a policy has. */
const SESSION: Errors = ['unauthenticated', 'forbidden', 'policyUnavailable', 'rateLimited', 'overloaded'];

/** Errors of what the runner does before the handler. */
const ERRORS_OF_ACCESS: Readonly<Record<ApiRoute['access'], Errors>> = {
  public: [],
  session: SESSION,
  namespace: SESSION,
  /** Of reading the live Secret, and of the access decision. */
  secret: [...SESSION, 'notFound', 'unavailable', 'rbacForbidden', 'responseTooLarge'],
  /** Of its final snapshot, likewise. */
  deleted: [...SESSION, 'notFound', 'historyUnavailable'],
};
const BODY: Errors = ['tooLarge', 'unsupportedMediaType', 'bodyBudgetExceeded'];

/**
 * Every error that a route documents: those of the steps before its handler, and its own. Errors that are not specific
 * to the route are left out: a defect, a replica that cannot verify sessions or tokens.
 */
export function errorsOf(route: ApiRoute): Errors {
  const errors: readonly Errors[] = [
    // Ambiguous header fields are refused before anything else; queries and bodies are checked, too.
    ['invalidRequest'],
    ERRORS_OF_ACCESS[route.access],
    'limit' in route ? ['rateLimited', 'overloaded'] : [],
    route.method === 'GET' ? [] : ['crossSite'],
    'body' in route ? BODY : [],
    'requireOffered' in route ? ['notConfigured'] : [],
    route.errors ?? [],
  ];
  return [...new Set(errors.flat())];
}

const SEGMENT = /:([a-z]+)/g;

/** The segments of paths that are parameters. */
const SEGMENTS: Readonly<Record<string, z.ZodType>> = {
  namespace: z.string().meta({ description: 'A DNS label.', examples: ['shared'] }),
  name: z.string().meta({ description: 'The name of the Secret, a DNS subdomain.', examples: ['database'] }),
  uid: z.string().meta({
    description: 'The UID that the deleted Secret had.',
    examples: ['7d0f4ad0-0f3c-4a4e-9f0c-7a1f5d0f3c55'],
  }),
  version: z.int().min(1).describe('The number of an archived version.'),
  key: z.string().meta({ description: 'The name of a key.', examples: ['password'] }),
};

/**
 * Adds the route that serves the document of `routes` and of itself. It is generated once, since routes do not change, and at the
 * first request, which few replicas get.
 */
export function withOpenApi(routes: readonly ApiRoute[], version: string): readonly ApiRoute[] {
  const own: RouteOf<'public'> = publicRoute({
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'This document',
    description: 'The description of this API for machines, made from the schemas that validate requests.',
    responses: { 200: json('The OpenAPI document.', documentResponse) },
    handle: () => ({ status: 200, json: (document ??= { ...openApiDocument(all, version) }) }),
  });
  const all: readonly ApiRoute[] = [...routes, own];
  let document: Wire<z.output<typeof documentResponse>> | undefined;
  return all;
}

/** The OpenAPI 3.1 document of the routes, generated from their records. */
export function openApiDocument(routes: readonly ApiRoute[], version: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const key = route.path.replaceAll(SEGMENT, '{$1}');
    paths[key] = { ...paths[key], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Secrets Management Service',
      version,
      description: 'Manage Kubernetes Secrets, with history, without cluster credentials.',
      contact: { name: 'The operators of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'service_session',
          description: 'The session cookie that a login sets.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token of a machine, of a trusted issuer, or of a person from a terminal.',
        },
      },
    },
  });
}

function operationOf(route: ApiRoute): ZodOpenApiOperationObject {
  const path = segmentsOf(route.path);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    // For clients that offer only what someone may do.
    ...('level' in route && route.level !== 'none' && { 'x-access-level': route.level }),
    tags: [route.tag],
    security: route.access === 'public' ? (route.security ?? []) : [{ session: [] }, { bearer: [] }],
    requestParams: {
      ...(path && { path }),
      ...(route.query && { query: route.query }),
      ...(route.requestHeaders && { header: route.requestHeaders }),
    },
    ...('body' in route && { requestBody: bodyOf(route.body) }),
    ...('form' in route && { requestBody: { required: true, content: { [FORM]: { schema: route.form } } } }),
    // A failure that a route declares itself has another form than the others of its status.
    responses: { ...failuresOf(route), ...route.responses, default: failure('Any other failure.') },
  };
}

const FORM = 'application/x-www-form-urlencoded';

function segmentsOf(path: string): z.ZodObject | undefined {
  const segments = [...path.matchAll(SEGMENT)].map(([, name = '']) => {
    const schema = SEGMENTS[name];
    if (schema === undefined) throw new TypeError(`the path segment ${name} is not described`);
    return [name, schema] as const;
  });
  return segments.length === 0 ? undefined : z.object(Object.fromEntries(segments));
}

function bodyOf({ schema, example, isOptional }: RequestBody): ZodOpenApiRequestBodyObject {
  return { required: isOptional !== true, content: { 'application/json': { schema, example } } };
}

/** The errors by status. Responses have the text, log lines the code. */
function failuresOf(route: ApiRoute): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERRORS[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      failure(codes.map((code) => `- \`${code}\`: ${ERRORS[code][1]}`).join('\n'), status),
    ]),
  );
}

function failure(description: string, status?: number): ZodOpenApiResponseObject {
  const headers = failureHeadersOf(status);
  return { description, headers, content: { 'application/json': { schema: errorResponse } } };
}
