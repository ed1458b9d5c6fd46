import type * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BytesSpec, JsonSpec, ResponseSpec } from '../../../src/api/runner/route.ts';
import { errorResponse } from '../../../src/api/routes/response-schemas.ts';
import { jsonOf } from '../../harness/answers.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { apiRoutes } from '../../../hack/openapi/document.ts';
import { tour, type Seen } from './openapi-tour.ts';

interface Operation {
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
  readonly security: readonly object[];
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The schema of each response as the route declares it. Whatever is answered otherwise is `{error}`. */
const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  apiRoutes().flatMap(({ method, path, responses }) =>
    Object.entries(responses).flatMap(([status, spec]: [string, ResponseSpec | JsonSpec]) =>
      'content' in spec && 'application/json' in spec.content
        ? [[`${method} ${path} ${status}`, spec.content['application/json'].schema] as const]
        : [],
    ),
  ),
);

/** The responses that are bytes, by the same name. */
const BYTES: ReadonlySet<string> = new Set(
  apiRoutes().flatMap(({ method, path, responses }) =>
    Object.entries(responses)
      .filter(
        ([, spec]: [string, ResponseSpec | BytesSpec]) =>
          'content' in spec && 'application/octet-stream' in spec.content,
      )
      .map(([status]) => `${method} ${path} ${status}`),
  ),
);

/** Of routes that answer without them, too. */
const OPTIONAL_CREDENTIALS: Readonly<Record<string, readonly object[]>> = {
  '/api/auth/me': [{}, { session: [] }, { bearer: [] }],
  '/api/auth/logout': [{}, { session: [] }],
};

let stack: Stack;
let namespace: string;
let document: OpenApi;
let seen: readonly Seen[];

beforeAll(async () => {
  stack = await startStack({ env: { SERVICE_RESTART_ENABLED: 'true' } });
  namespace = await stack.namespace();
  document = jsonOf(await stack.anonymous.get('/api/openapi.json'), 200) as OpenApi;
  seen = await tour(stack, namespace);
});
afterAll(() => stack.close());

const pathKey = (route: string) => route.replaceAll(/:([a-z]+)/g, '{$1}');

describe('the served OpenAPI document', () => {
  it('is OpenAPI 3.1 and lists exactly the routes of the table', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(
      apiRoutes()
        .map(({ method, path }) => `${method} ${pathKey(path)}`)
        .sort(),
    );
  });

  it('describes a response of a route as the route declares it, rather than as any error of its status', () => {
    for (const { method, path, responses } of apiRoutes()) {
      const described = document.paths[pathKey(path)]?.[method.toLowerCase()]?.responses ?? {};
      for (const [status, spec] of Object.entries<ResponseSpec>(responses))
        expect(described, `${method} ${path}`).toHaveProperty([status, 'description'], spec.description);
    }
  });

  it('describes the body of every write that has one, a form as a form', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) =>
        Object.keys(requestBody?.content ?? {}).map((type) => `${method} ${path} ${type}`),
      ),
    );
    const declared = apiRoutes().flatMap((route) => {
      const name = `${route.method.toLowerCase()} ${pathKey(route.path)}`;
      if ('form' in route) return [`${name} application/x-www-form-urlencoded`];
      return 'body' in route ? [`${name} application/json`] : [];
    });
    expect(described.toSorted()).toEqual(declared.toSorted());
    expect(described).toContain('post /api/auth/token application/x-www-form-urlencoded');
  });

  it('names for each route every status that was seen in the tour', () => {
    const missing = seen
      .filter(({ method, route, answer }) => {
        const operation = document.paths[pathKey(route)]?.[method.toLowerCase()];
        return operation === undefined || !Object.hasOwn(operation.responses, String(answer.status));
      })
      .map(({ method, route, answer }) => `${method} ${route} ${answer.status}`);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('the tour saw every route, and every status of the document that needs no failing cluster or provider', () => {
    const met = new Set(
      seen.map(({ method, route, answer }) => `${method} ${pathKey(route)} ${answer.status}`),
    );
    const never = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => status !== 'default')
          .map((status) => `${method.toUpperCase()} ${path} ${status}`)
          .filter((one) => !met.has(one)),
      ),
    );
    expect(never.sort()).toEqual([
      'GET /api/access 503',
      'GET /api/auth/callback 503',
      'GET /api/auth/login 302',
      'GET /api/auth/login 502',
      'GET /api/auth/login 503',
      // Of machines: test/contract/sign-in/machines.test.ts.
      'GET /api/auth/me 403',
      'GET /api/auth/me 429',
      'GET /api/auth/me 503',
      'GET /api/expiring 403',
      'GET /api/expiring 503',
      'GET /api/namespaces 403',
      'GET /api/namespaces 503',
      'GET /api/search 403',
      'GET /api/search 503',
      // Of sign-in that is disabled: test/contract/sign-in/terminal.test.ts.
      'POST /api/auth/code 501',
      'POST /api/auth/code 503',
      'POST /api/auth/token 501',
      'POST /api/auth/token 503',
    ]);
  });

  it('declares the header fields that failures have', () => {
    const FIELDS = ['X-Request-Id', 'Retry-After', 'WWW-Authenticate'];
    const undeclared = seen.flatMap(({ method, route, answer: { status, headers } }) => {
      const name = `${method} ${route} ${status}`;
      if (status < 400) return [];
      const { responses } = document.paths[pathKey(route)]?.[method.toLowerCase()] ?? {};
      const declared = responses?.[status]?.headers ?? {};
      return FIELDS.filter((field) => headers.has(field) && !Object.hasOwn(declared, field)).map(
        (field) => `${name}: ${field}`,
      );
    });
    expect(undeclared).toEqual([]);
    expect(seen.some(({ answer }) => answer.headers.has('retry-after'))).toBe(true);
    // Of bearer tokens: test/contract/sign-in/machines.test.ts.
    expect(document.paths['/api/search']?.['get']?.responses['401']?.headers).toHaveProperty(
      'WWW-Authenticate',
    );
  });

  it('requires a session exactly where the service does, and offers it where the service reads one', () => {
    for (const { method, path } of apiRoutes()) {
      const operation = document.paths[pathKey(path)]?.[method.toLowerCase()];
      const needsSession = seen.some(
        (one) =>
          one.method === method &&
          one.route === path &&
          one.answer.status === 401 &&
          one.answer.text.includes('Sign-in required'),
      );
      const ways = path === '/api/auth/code' ? [{ session: [] }] : [{ session: [] }, { bearer: [] }];
      const expected = needsSession ? ways : (OPTIONAL_CREDENTIALS[path] ?? []);
      expect(operation?.security, `${method} ${path}`).toEqual(expected);
    }
  });
});

describe('every answer of the tour', () => {
  it('has the shape that the document gives for its status', () => {
    expect(seen.length).toBeGreaterThan(80);
    for (const { method, route, answer } of seen) {
      const what = `${method} ${route} ${answer.status}`;
      if (answer.status === 302) continue;
      if (BYTES.has(what)) {
        expect(answer.headers.get('content-type'), what).toBe('application/octet-stream');
        continue;
      }
      const schema = SCHEMAS.get(what) ?? (answer.status >= 400 ? errorResponse : undefined);
      expect(schema, what).toBeDefined();
      const problems = schema
        ?.safeParse(answer.json)
        .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      expect([what, problems]).toEqual([what, undefined]);
      expect(answer.headers.get('content-type'), what).toBe('application/json; charset=utf-8');
    }
  });
});
