import type * as z from 'zod';
import { openApiDocument } from '../openapi.ts';
import { publicRoute, type ApiRoute, type PublicRoute } from '../http/route.ts';
import { json, type Wire } from '../http/route-response.ts';
import { documentResponse } from './response-schemas.ts';

/**
 * Adds the route that serves the document of `routes` and of itself. It is generated once, since routes do not change.
 */
export function withOpenApi(routes: readonly ApiRoute[], version: string): readonly ApiRoute[] {
  const own: PublicRoute = publicRoute({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    budgetMs: 5_000,
    operationId: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'This document',
    description: 'The description of this API for machines, made from the schemas that validate requests.',
    responses: {
      200: json({
        description: 'The OpenAPI document.',
        schema: documentResponse,
        example: { openapi: '3.1.1' },
      }),
    },
    errors: [],
    handle: () => ({ status: 200, json: document }),
  });
  const all: readonly ApiRoute[] = [...routes, own];
  const document: Wire<z.output<typeof documentResponse>> = { ...openApiDocument(all, version) };
  return all;
}
