import { PLANTED } from './bodies.ts';
import type { FuzzRequest } from './requests.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * Sign-in is not configured in these runs, so a login answers 501. A deletion that meets a write of the same Secret
 * answers 503, because history grew while it was cleaned. Nothing else may answer 5xx.
 */
function isUnexpected({ status, text }: FuzzAnswer): boolean {
  const metHistory = status === 503 && text.startsWith('{"error":"The history of this Secret is unavailable');
  return status < 200 || (status >= 500 && status !== 501 && !metHistory);
}

/** What is wrong with an answer; undefined when nothing is. */
export function objectionTo({ method, path }: FuzzRequest, answer: FuzzAnswer): string | undefined {
  const { status, headers, text } = answer;
  const [route = ''] = path.split('?');
  if (isUnexpected(answer)) return `status ${status}`;
  if (headers['cache-control'] !== 'no-store') return 'cacheable';
  if (typeof headers['x-request-id'] !== 'string') return 'no request id';
  if (JSON.stringify(headers).includes(PLANTED)) return 'the planted value is in a header';
  const isDescription =
    SECRET_ROUTE.test(route) &&
    new URLSearchParams(path.slice(route.length)).getAll('values').join() === 'false';
  if (text.includes(PLANTED) && (isDescription || !mayHoldValues(method, route, status)))
    return 'the planted value is in the answer';
  if (status >= 300 && status < 400)
    return status === 302 && route.startsWith('/api/auth/') ? undefined : `status ${status}`;
  if (method === 'HEAD') return text === '' ? undefined : 'a body for HEAD';
  if (status === 200 && KEY_ROUTE.test(route)) return bytesObjection(headers);
  if (status === 200 && !route.startsWith('/api')) return undefined; // a page, or a part of one
  return isJsonShaped(route, status, text) ? undefined : 'not shaped as JSON answers are';
}

/** One Secret, without its values where the query leaves them out. */
const SECRET_ROUTE = /\/secrets\/[^/]+$/;
/** Answers the bytes of one value. */
const KEY_ROUTE = /\/secrets\/[^/]+(?:\/versions\/[0-9]+)?\/keys\/[^/]+$/;

function bytesObjection(headers: FuzzAnswer['headers']): string | undefined {
  const isDownload = String(headers['content-disposition']).startsWith('attachment; filename="');
  const isInert = headers['x-content-type-options'] === 'nosniff';
  if (isDownload && isInert && headers['content-type'] === 'application/octet-stream') return undefined;
  return 'bytes that are no download';
}

/** Reading, updating and restoring answer values, and so does one key; nothing else does. */
function mayHoldValues(method: string, route: string, status: number): boolean {
  if (status !== 200) return false;
  const isSecret = SECRET_ROUTE.test(route) && (method === 'GET' || method === 'PUT');
  return isSecret || KEY_ROUTE.test(route) || /\/versions\/[0-9]+$/.test(route) || route.endsWith('/restore');
}

function isJsonShaped(route: string, status: number, text: string): boolean {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return false; // which is what was requested
  }
  if (typeof json !== 'object' || json === null) return false;
  const keys = Object.keys(json).join();
  if (status < 400) return keys !== 'error';
  return keys === 'error' || (route === '/api/auth/me' && text === '{"user":null}');
}
