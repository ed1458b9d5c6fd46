import { anyBody, anyName, anyRevision, PLANTED, type BodyKind, type KnownSecret } from './bodies.ts';
import type { Choices } from './random.ts';

export interface FuzzRequest {
  readonly method: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

export interface Surroundings {
  readonly namespaces: readonly string[];
  /** Valid session cookies. */
  readonly cookies: readonly string[];
  /** Secrets seen in answers, the newest last. */
  readonly known: readonly KnownSecret[];
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE'];
const FIXED = [
  '/api/access',
  '/api/namespaces',
  '/api/search',
  '/api/expiring',
  '/api/auth/me',
  '/api/auth/login',
  '/api/auth/callback',
  '/api/auth/logout',
  '/api/config',
  '/api/openapi.json',
  '/login',
  '/',
  '/metrics',
  '/readyz',
  '/_dev/faults',
  '/api',
  '//api/config',
  '/api/config/',
  '/API/config',
  '/api/../api/config',
];
const SEGMENTS = [
  '%2f',
  '%00',
  '..',
  '.',
  '%2e%2e',
  '%',
  '%zz',
  '%ff',
  '%c3%a4',
  'ä',
  '%0d%0aX-A:1',
  PLANTED,
  '*',
  'a%20b',
  ';',
  '%F0%9F%99%82',
  '\u00a0',
];
/** Fields that may be as long as Node.js takes them. */
const LONG_FIELDS = [
  ...[
    'content-type',
    'cache-control',
    'accept-encoding',
    'origin',
    'sec-fetch-site',
    'x-request-id',
    'cookie',
  ],
  ...['x-forwarded-for', 'x-forwarded-host', 'authorization', 'user-agent', 'if-none-match', 'x-unknown'],
];
const LONG_PARTS = [' ;', '\t,', 'a=b;', '"\\', ',, ', 'a.', '-.', '%2', '[[', 'aA'];
const QUERIES = [
  `?a=${PLANTED}`,
  '?',
  '?%zz=%zz',
  '?resourceVersion',
  '?code=x&state=y',
  `?error=${PLANTED}&state=x`,
  '?auth=error&idp_error=<b>',
  '?__proto__=1',
  '?limit=1',
  '?values=false',
  `?values=${PLANTED}`,
  '?q=a&limit=200',
  `?q=${PLANTED}&type=Opaque`,
  '?within=3650d',
  `?within=${PLANTED}`,
  `?limit=2&q=${PLANTED}`,
  '?limit=500&sort=changed&q=a%20%C3%84%20%00',
  `?limit=1&continue=${'A'.repeat(60)}`,
  `?limit=1&continue=AQ${'A'.repeat(58)}`,
];

export function anyRequest(choices: Choices, around: Surroundings): FuzzRequest {
  const { chance, pick } = choices;
  const path = anyPath(choices, around);
  const method = chance(0.85) ? likelyMethod(choices, path) : pick(METHODS);
  const hasBody = chance(['POST', 'PUT', 'PATCH'].includes(method) ? 0.97 : 0.05) && method !== 'TRACE';
  return {
    method,
    path: path + anyQuery(choices, around, method),
    headers: anyHeaders(choices, around, hasBody),
    body: hasBody ? anyBody(choices, around.known, fittingBody(path, method)) : undefined,
  };
}

function fittingBody(path: string, method: string): BodyKind {
  if (path.endsWith('/restore')) return 'restore';
  return path.endsWith('/secrets') ? 'create' : method === 'PATCH' ? 'patch' : 'update';
}

function likelyMethod({ pick, chance }: Choices, path: string): string {
  if (/\/(restore|restart)$/.test(path)) return 'POST';
  if (/\/(access|consumers|versions|keys)(\/[^/]*)?$/.test(path) || !path.includes('/secrets')) return 'GET';
  if (path.endsWith('/secrets')) return chance(0.6) ? 'POST' : 'GET';
  return pick(['GET', 'PUT', 'PUT', 'PATCH', 'PATCH', 'DELETE']);
}

function anyPath(choices: Choices, { namespaces, known }: Surroundings): string {
  const { chance, pick } = choices;
  if (chance(0.15)) return pick(FIXED);
  const namespace = chance(0.85)
    ? pick(namespaces)
    : pick(['absent', 'kube-system', 'UPPER', 'x'.repeat(64), ...SEGMENTS]);
  const collection = `/api/namespaces/${namespace}/secrets`;
  if (chance(0.3)) return collection;
  const name = anySegment(choices, known);
  const below = chance(0.4)
    ? pick([
        '/versions',
        '/versions/1',
        '/versions/1',
        '/versions/x',
        '/versions/0',
        '/versions/1/keys/a',
        '/keys/a',
        '/keys/__proto__',
        '/keys/%2e%2e',
        '/restore',
        '/restart',
        '/access',
        '/consumers',
        '/',
      ])
    : '';
  return `${collection}/${name}${below}`;
}

function anySegment(choices: Choices, known: readonly KnownSecret[]): string {
  const { chance, pick } = choices;
  if (known.length > 0 && chance(0.75)) return pick(known.slice(-20)).name;
  return chance(0.5) ? pick(SEGMENTS) : encodeURIComponent(anyName(choices));
}

function anyQuery(choices: Choices, { known }: Surroundings, method: string): string {
  const { chance, pick } = choices;
  if (method !== 'DELETE') return chance(0.15) ? pick(QUERIES) : '';
  if (chance(0.1)) return pick(QUERIES);
  const revision = `?resourceVersion=${encodeURIComponent(anyRevision(choices, known).toWellFormed())}`;
  return (
    revision +
    (chance(0.5)
      ? pick(['&keepHistory=true', '&keepHistory=false', '&keepHistory=1', '&resourceVersion=1'])
      : '')
  );
}

function anyHeaders(choices: Choices, { cookies }: Surroundings, hasBody: boolean): Record<string, string> {
  const { chance, pick } = choices;
  const headers: Record<string, string> = {};
  if (chance(0.93)) headers['cookie'] = pick(cookies);
  else
    headers['cookie'] = pick([
      `service_session=${PLANTED}`,
      'service_session=',
      `a=${PLANTED}; service_session=x.y.z`,
    ]);
  if (hasBody) {
    headers['content-type'] = chance(0.93)
      ? 'application/json'
      : pick([
          'text/plain',
          'application/json; charset=utf-16',
          'application/x-www-form-urlencoded',
          `application/${PLANTED}`,
          '',
        ]);
  }
  if (chance(0.05)) headers['x-request-id'] = pick([PLANTED, 'x'.repeat(65), 'a b', 'plain-token']);
  if (chance(0.03)) headers['origin'] = pick(['https://evil.example', 'null', PLANTED, 'http://localhost']);
  if (chance(0.03)) headers['sec-fetch-site'] = pick(['cross-site', 'same-origin', 'none', PLANTED]);
  if (chance(0.03)) headers['content-encoding'] = pick(['gzip', 'identity', PLANTED]);
  if (chance(0.03)) headers['authorization'] = `Bearer ${PLANTED}`;
  if (chance(0.03)) headers['x-forwarded-for'] = pick(['1.2.3.4', PLANTED]);
  if (chance(0.02)) headers['x-http-method-override'] = 'DELETE';
  if (chance(0.02)) headers['if-none-match'] = '*';
  if (chance(0.02)) headers['range'] = 'bytes=0-1';
  if (chance(0.02))
    headers[pick(LONG_FIELDS)] = pick(LONG_PARTS)
      .repeat(pick([100, 2_000]))
      .trim();
  return headers;
}
