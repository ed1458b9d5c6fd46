import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, sessionCookie } from '../../harness/api-client.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { bodyPlaces, bodyWith, encoded, type Components, type Schema } from './body-places.ts';
import { headerNames } from './header-names.ts';
import { sendHostile, type HostileRequest } from './send.ts';
import { slowTurns, type Answers, type Trial } from './slow-turns.ts';
import { hostileTexts, ILL_FORMED, largeTexts } from './texts.ts';

/** Node.js takes 16 KiB of header fields and request line together. */
const HEADER_BYTES = 14_000;
const TARGET_BYTES = 12_000;
const BODY_BYTES = 100_000;
const LARGEST_BODY_BYTES = 15 * 1024 * 1024;

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Components };
}
interface DocumentedRoute extends Operation {
  readonly method: string;
  readonly path: string;
}

let stack: Stack;
let cookie: string;
let namespace: string;
let document: ApiDocument;
let routes: readonly DocumentedRoute[];
const COLLECTION = { method: 'GET', path: '/api/namespaces/{namespace}/secrets' };
const PAGES: readonly DocumentedRoute[] = ['/', '/login', '/namespaces/a/secrets/b', '/assets/a'].map(
  (path) => ({
    method: 'GET',
    path,
  }),
);

beforeAll(async () => {
  stack = await startStack({ metered: true, env: { SERVICE_RESTART_ENABLED: 'true' } });
  cookie = await sessionCookie(ADMIN);
  namespace = await stack.namespace();
  await stack.admin.post(`/api/namespaces/${namespace}/secrets`, { name: 'a', data: { a: '1' } });
  document = (await stack.anonymous.get('/api/openapi.json')).json as ApiDocument;
  routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  // What is compiled on first use is no answer's cost.
  for (let round = 0; round < 30; round++) {
    for (const { method, path } of [...routes, ...PAGES].filter((route) => route.method === 'GET')) {
      await sendHostile(stack.service.url, { method, target: targetOf(path), fields: [['cookie', cookie]] });
    }
  }
});
afterAll(() => stack.close());

/** The path of a route with this text in place of one segment, and good ones elsewhere. */
function targetOf(path: string, hostile?: { readonly segment: string; readonly text: string }): string {
  const good: Readonly<Record<string, string>> = { namespace, name: 'a', version: '1' };
  return path.replaceAll(/\{([a-z]+)\}/g, (_, segment: string) =>
    segment === hostile?.segment ? hostile.text : (good[segment] ?? 'a'),
  );
}

/** @param request made when it is sent: many large ones would be too much at once */
function trial(what: string, request: () => HostileRequest): Trial {
  return { what, send: () => sendHostile(stack.service.url, request()) };
}

/** Signed in and not, in turns. */
const signedIn = (index: number) => (index % 2 === 0 ? [['cookie', cookie] as const] : []);
/** UTF-8 as the bytes that a field holds. */
const bytes = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, ' ');
const named = (text: string) => JSON.stringify(`${text.slice(0, 8)}…${text.slice(-4)}`);

/** What stands before a text where a reader would not come to it otherwise. */
const PREFIXES: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=',
  cookie: 'service_session=',
};

function headerTrial(
  { method, path }: DocumentedRoute,
  name: string,
  text: string,
  own: readonly (readonly [string, string])[],
): Trial {
  const hasBody = method !== 'GET' && name !== 'content-length' && name !== 'transfer-encoding';
  const given = [...own, ['content-type', 'application/json'] as const].filter(([field]) => field !== name);
  return trial(`${method} ${path} with ${name} ${named(text)}`, () => ({
    method,
    target: targetOf(path),
    fields: [...given, [name, bytes(text)]],
    body: hasBody ? '{}' : undefined,
  }));
}

/** Places are many and read alike: one takes these texts, the next takes others. HOSTILE_SHARES=1 for the long run: each takes all. */
const SHARES = Number(process.env['HOSTILE_SHARES'] ?? '12');

function shareOf<Text>(texts: readonly Text[], place: number): readonly Text[] {
  const shares = Math.min(SHARES, texts.length);
  return texts.filter((_, index) => index % shares === place % shares);
}

/** They were read, not refused for their length or their number, so that a silence means something. */
function expectRead(answers: Answers, statuses: readonly number[]): void {
  for (const status of statuses) expect([...answers.keys()]).toContain(status);
  expect(answers.get(431) ?? 0).toBe(0);
}

describe('no turn of the event loop is long, whatever is sent', () => {
  it('in any header field', { timeout: 300_000 }, async () => {
    const places = [...routes, ...PAGES];
    const texts = hostileTexts(HEADER_BYTES);
    const answers: Answers = new Map();
    for (const name of headerNames()) {
      const trials = texts.flatMap((text, index) => {
        const place = places[index % places.length] ?? COLLECTION;
        const prefix = PREFIXES[name] ?? '';
        const own = signedIn(Math.floor(index / places.length));
        const each = [
          headerTrial({ ...COLLECTION, method: 'GET' }, name, prefix + text, signedIn(0)),
          headerTrial({ ...COLLECTION, method: 'POST' }, name, prefix + text, signedIn(0)),
          headerTrial(place, name, text, own),
        ];
        return SHARES === 1 ? each : each.slice(index % 3, (index % 3) + 1);
      });
      expect(await slowTurns(stack.service.meter, trials, answers), name).toEqual([]);
    }
    expectRead(answers, [200, 400, 401, 415]);
  });

  it('in many header fields', { timeout: 120_000 }, async () => {
    const answers: Answers = new Map();
    const trials = headerNames().flatMap((name) =>
      ['a', 'a=b', ','].map((value) =>
        trial(`many ${name}`, () => ({
          method: 'GET',
          target: targetOf('/api/namespaces/{namespace}/secrets'),
          fields: [
            ...(name === 'cookie' ? [] : signedIn(0)),
            ...Array.from({ length: 90 }, () => [name, value] as const),
          ],
        })),
      ),
    );
    expect(await slowTurns(stack.service.meter, trials, answers)).toEqual([]);
    expectRead(answers, [200, 400]);
  });

  it('in any segment of any path', { timeout: 300_000 }, async () => {
    const texts = hostileTexts(TARGET_BYTES / 3).map((text) => encodeURIComponent(text));
    const raw = hostileTexts(TARGET_BYTES).map((text) =>
      bytes(text).replaceAll(/[\s]/g, '%20').slice(0, TARGET_BYTES),
    );
    const paths = [...routes, { method: 'GET', path: '/{page}' }, { method: 'GET', path: '/assets/{file}' }];
    const answers: Answers = new Map();
    for (const [place, { method, path }] of paths.entries()) {
      for (const [, segment = ''] of path.matchAll(/\{([a-z]+)\}/g)) {
        const trials = [...shareOf(texts, place), ...shareOf(raw, place)].map((text, index) =>
          trial(`${method} ${path} with ${segment} ${named(text)}`, () => ({
            method,
            target: targetOf(path, { segment, text }),
            fields: signedIn(index),
          })),
        );
        expect(await slowTurns(stack.service.meter, trials, answers), `${method} ${path}`).toEqual([]);
      }
    }
    expectRead(answers, [400, 401, 404]);
  });

  it('in any parameter of any query', { timeout: 300_000 }, async () => {
    const texts = hostileTexts(TARGET_BYTES).map((text) =>
      bytes(text).replaceAll(/[\s#]/g, '%20').slice(0, TARGET_BYTES),
    );
    const answers: Answers = new Map();
    for (const [place, { method, path, parameters = [] }] of [...routes, ...PAGES].entries()) {
      const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const names = [...known, 'unknown'];
      const trials = shareOf(texts, place).map((text, index) => {
        const name = names[index % names.length] ?? '';
        const query = index % 5 === 0 ? text : `${name}=${text}`;
        return trial(`${method} ${path} with ${name}=${named(text)}`, () => ({
          method,
          target: `${targetOf(path)}?${query}`,
          fields: signedIn(Math.floor(index / names.length)),
        }));
      });
      const many = names.map((name) =>
        trial(`${method} ${path} with many ${name}`, () => ({
          method,
          target: `${targetOf(path)}?${`${name}=1&`.repeat(1_000)}`.slice(0, TARGET_BYTES),
          fields: signedIn(0),
        })),
      );
      const what = `${method} ${path}`;
      expect(await slowTurns(stack.service.meter, [...trials, ...many], answers), what).toEqual([]);
    }
    expectRead(answers, [200, 400, 401]);
  });

  const bodies = () =>
    routes.flatMap(({ method, path, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema === undefined) return [];
      return bodyPlaces(schema, document.components.schemas).map((place) => ({ method, path, place }));
    });

  it.each([
    ['hostile', () => [...hostileTexts(BODY_BYTES), ...ILL_FORMED], [400, 401]],
    ['large', () => largeTexts(LARGEST_BODY_BYTES), [400, 413]],
  ])('in any field of any body, with %s texts', { timeout: 300_000 }, async (_what, texts, statuses) => {
    const all = texts().map(encoded);
    const answers: Answers = new Map();
    for (const [at, { method, path, place }] of bodies().entries()) {
      const trials = shareOf(all, at).map((text, index) =>
        trial(`${method} ${path} with ${place.where} ${named(text.text)}`, () => ({
          method,
          target: targetOf(path),
          fields: [
            ['content-type', 'application/json'] as const,
            ...((at + index) % 16 === 15 ? [] : signedIn(0)),
          ],
          body: bodyWith(text, place),
        })),
      );
      const what = `${method} ${path} ${place.where}`;
      expect(await slowTurns(stack.service.meter, trials, answers), what).toEqual([]);
    }
    expectRead(answers, statuses);
  });
});
