import { clientFor, person, type ApiAnswer, type ApiRequest } from '../../harness/api-client.ts';
import { CHALLENGE, VERIFIER } from '../../harness/terminal-token.ts';
import type { Seen } from './openapi-tour.ts';

type Visit = (
  who: 'a' | 'anonymous',
  operation: string,
  params?: object,
  request?: ApiRequest,
) => Promise<ApiAnswer>;

const CROSS_SITE = { headers: { 'sec-fetch-site': 'cross-site' } };

/** Signing in from a terminal; the request of someone in many groups is returned. */
export async function visitTerminal(url: string, visit: Visit): Promise<Seen> {
  const code = `POST /api/auth/code?code_challenge=${CHALLENGE}`;
  const { code: sealed } = (await visit('a', code)).json as { readonly code: string };
  await visit('a', 'POST /api/auth/code');
  await visit('anonymous', code);
  await visit('a', code, {}, CROSS_SITE);
  const groups = Array.from({ length: 200 }, (_, index) => `department-of-long-names-${index}`);
  const inMany = await clientFor(url, person('many@example.com', groups));
  const refused = await inMany.send('POST', code.replace('POST ', ''));

  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const redeem = (body: string) => visit('anonymous', 'POST /api/auth/token', {}, { body, headers });
  await redeem(`grant_type=authorization_code&code=${sealed}&code_verifier=${VERIFIER}`);
  await redeem('grant_type=password');
  await redeem('x'.repeat(20_000));
  await visit('anonymous', 'POST /api/auth/token', {}, { json: {} });
  await visit('anonymous', 'POST /api/auth/token', {}, CROSS_SITE);
  return { method: 'POST', route: '/api/auth/code', answer: refused };
}
