import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { requestBody } from '../../../src/api/runner/request-body.ts';
import {
  json,
  namespaceRoute,
  publicRoute,
  secretRoute,
  sessionRoute,
  type JsonSpec,
  type ResponseSpec,
} from '../../../src/api/runner/route.ts';
import { errorsOf } from '../../../src/api/openapi.ts';
import type { AuthorizedSecret } from '../../../src/secrets/authorize.ts';
import { apiRoutes } from '../../../hack/openapi/document.ts';

const schema = z.strictObject({ name: z.string(), keys: z.array(z.strictObject({ size: z.int() })) });
const response = json('x', schema);

const record = {
  method: 'GET',
  path: '/x',
  access: 'public',
  budgetMs: 1,
  operationId: 'x',
  tag: 'Service',
  summary: 'x',
  description: 'x',
  errors: [],
} as const;
const responses = { 200: response } as const;

interface Described {
  readonly name: string;
  readonly keys: readonly { readonly size: number }[];
}

const described: Described = { name: 'a', keys: [{ size: 1 }] };

/** The schemas of objects with fields, at any depth. */
function objectsOf(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const below = Object.values(schema).flatMap(objectsOf);
  return 'type' in schema && 'properties' in schema ? [schema, ...below] : below;
}

describe('a route record', () => {
  it('compiles with a handler that returns what its schema describes', () => {
    const route = publicRoute({ ...record, responses, handle: () => ({ status: 200, json: described }) });
    expect(route.handle({} as never)).toEqual({ status: 200, json: described });
  });

  it('does not compile without a description', () => {
    const { description: _, ...undescribed } = record;
    // @ts-expect-error -- the description is missing
    publicRoute({ ...undescribed, responses, handle: () => ({ status: 200, json: described }) });
    expect(undescribed).not.toHaveProperty('description');
  });

  it('does not compile without a level, or with a level that is none', () => {
    const handle = () => ({ status: 200, json: described }) as const;
    const audited = { ...record, action: 'secret.list', responses } as const;
    const named = { ...audited, access: 'secret' } as const;
    const listed = { ...audited, access: 'namespace' } as const;
    const found = { ...audited, access: 'session' } as const;
    // @ts-expect-error -- the level is missing
    secretRoute({ ...named, handle });
    // @ts-expect-error -- the level is missing
    namespaceRoute({ ...listed, handle });
    // @ts-expect-error -- the level is missing
    sessionRoute({ ...found, handle });
    // @ts-expect-error -- a live Secret needs one of the levels
    secretRoute({ ...named, level: 'none', handle });
    expect(secretRoute({ ...named, level: 'read', handle }).level).toBe('read');
  });

  it('does not compile with a handler that needs a higher level than the record', () => {
    const restore = (_secret: AuthorizedSecret<'write'>) => described;
    const audited = { ...record, action: 'secret.restore', access: 'secret', responses } as const;
    secretRoute({
      ...audited,
      level: 'read',
      // @ts-expect-error -- who may read may not write
      handle: ({ secret }) => ({ status: 200, json: restore(secret) }),
    });
    const handles = (level: 'write' | 'manage') =>
      secretRoute({ ...audited, level, handle: ({ secret }) => ({ status: 200, json: restore(secret) }) });
    expect([handles('write').level, handles('manage').level]).toEqual(['write', 'manage']);
  });

  it('does not compile with a handler that returns another shape', () => {
    const { name } = described;
    publicRoute({
      ...record,
      responses,
      // @ts-expect-error -- a field is missing
      handle: () => ({ status: 200, json: { name } }),
    });
    publicRoute({
      ...record,
      responses,
      // @ts-expect-error -- a field has another type
      handle: () => ({ status: 200, json: { ...described, name: 1 } }),
    });
    publicRoute({
      ...record,
      responses,
      // @ts-expect-error -- the status is not declared
      handle: () => ({ status: 201, json: described }),
    });
    publicRoute({
      ...record,
      responses,
      // @ts-expect-error -- no redirect is declared
      handle: () => ({ redirectTo: '/', setCookies: [] }),
    });
    expect(Object.keys(responses)).toEqual(['200']);
  });

  it('does not compile with a promise of another shape', () => {
    const read = (): Promise<Omit<Described, 'keys'>> => Promise.resolve(described);
    publicRoute({
      ...record,
      responses,
      // @ts-expect-error -- a field is missing
      async handle() {
        return { status: 200, json: await read() };
      },
    });
    expect(record.path).toBe('/x');
  });

  it('describes responses that have no other fields, so that the contract tests refuse one that no schema has', () => {
    const open = apiRoutes().flatMap(({ operationId, responses: specs }) =>
      Object.values(specs).flatMap((spec: ResponseSpec | JsonSpec) => {
        if (!('content' in spec) || !('application/json' in spec.content)) return [];
        const text = JSON.stringify(
          z.toJSONSchema(spec.content['application/json'].schema, { io: 'input', unrepresentable: 'any' }),
        );
        return objectsOf(JSON.parse(text)).every((object) => object['additionalProperties'] === false)
          ? []
          : [operationId];
      }),
    );
    expect(open).toEqual(['getOpenApiDocument']);
  });

  it('does not compile with an example of a body of another shape', () => {
    // @ts-expect-error -- a field is missing
    requestBody({ fields: schema.shape, example: { name: 'a' } });
    // @ts-expect-error -- a field has another type
    requestBody({ fields: schema.shape, example: { name: 1, keys: [] } });
    const { example } = requestBody({ fields: schema.shape, example: { name: 'a', keys: [] } });
    expect(example).toEqual({ name: 'a', keys: [] });
  });
});

describe('the errors of a route', () => {
  it('are those of the steps before its handler, and its own', () => {
    const update = apiRoutes().find(({ operationId }) => operationId === 'updateSecret');
    const codes = update === undefined ? [] : errorsOf(update);
    expect(codes).toEqual(
      expect.arrayContaining([
        'unauthenticated',
        'notFound',
        'crossSite',
        'unsupportedMediaType',
        'staleRevision',
      ]),
    );
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('have an operation id of their own each', () => {
    const ids = apiRoutes().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
