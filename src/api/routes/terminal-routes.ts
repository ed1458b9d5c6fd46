import * as z from 'zod';
import { CHALLENGE, type RedeemedCode, type TerminalSignIn } from '../../auth/authentication.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { auditActor } from '../runner/audit.ts';
import { json, publicRoute, type ApiRoute, type RequestContext } from '../runner/route.ts';
import { requireSession } from '../runner/sender.ts';
import { parseQuery } from './query-parameters.ts';
import { failureHeadersOf } from './response-schemas.ts';

const BUDGET_MS = 10_000;

const codeQuery = z.object({
  code_challenge: z
    .string('must be an S256 challenge of 43 characters')
    .regex(CHALLENGE, 'must be an S256 challenge of 43 characters')
    .meta({
      description: 'The S256 challenge (RFC 7636) of the command that redeems the code.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
});

const codeResponse = z.strictObject({
  code: z.string().describe('For the command that made the challenge.'),
  expiresIn: z.number().describe('Seconds.'),
});

const tokenForm = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().describe('From `POST /api/auth/code`.'),
  code_verifier: z.string().describe('Of the challenge that the code was made for (RFC 7636).'),
});

const tokenResponse = z.strictObject({
  access_token: z.string().describe('A bearer token, of the person who signed in.'),
  token_type: z.literal('Bearer'),
  expires_in: z.number().describe('Seconds; never later than the session that it came from.'),
});

const tokenError = z.strictObject({
  error: z.string().describe('A code of RFC 6749, section 5.2; a text where the request is no form.'),
  error_description: z.string().optional().describe('Of a code: what is wrong, for people.'),
});

type TokenErrorCode = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type';

const REFUSED: Readonly<Record<TokenErrorCode, string>> = {
  invalid_request: 'The form must have grant_type, code and code_verifier, each once',
  unsupported_grant_type: 'grant_type must be authorization_code',
  invalid_grant: 'The code is malformed, has expired, belongs to another verifier, or its session has ended',
};

/** Signing in from a terminal: a page gets a code for the session of its browser, and a command redeems it. */
export const terminalRoutes: readonly ApiRoute[] = [
  publicRoute({
    method: 'POST',
    path: '/api/auth/code',
    limit: 'login',
    budgetMs: BUDGET_MS,
    operationId: 'createTerminalCode',
    tag: 'Authentication',
    summary: 'Get a code for a terminal',
    description:
      'For the page `/cli`, whose session cookie it needs. Whoever has the verifier of the challenge redeems the code, within a minute.',
    query: codeQuery,
    responses: { 200: json('The code.', codeResponse) },
    security: [{ session: [] }],
    errors: ['unauthenticated', 'tooLarge', 'notConfigured'],
    async handle(context) {
      const terminal = requireTerminal(context);
      const session = await requireSession(context);
      const { code_challenge: challenge } = parseQuery(codeQuery, context.query);
      const sealed = await terminal.seal(session, challenge);
      if (sealed.kind === 'ended') throw new ServiceError('unauthenticated', 'Sign-in required');
      if (sealed.kind === 'tooLarge')
        throw new ServiceError('tooLarge', 'You are in too many groups for a token', { reason: 'groups' });
      return { status: 200, json: { code: sealed.code, expiresIn: sealed.expiresInSeconds } };
    },
  }),
  publicRoute({
    method: 'POST',
    path: '/api/auth/token',
    limit: 'login',
    budgetMs: BUDGET_MS,
    operationId: 'redeemTerminalCode',
    tag: 'Authentication',
    summary: 'Redeem a code for a bearer token',
    description: 'For commands, without a cookie. The form has each of its fields once; others are ignored.',
    form: tokenForm,
    responses: {
      200: json('The token. It counts on every route but those of sign-in.', tokenResponse),
      400: json('The request or the code is not accepted.', tokenError, failureHeadersOf(400)),
    },
    errors: ['unsupportedMediaType', 'tooLarge', 'notConfigured'],
    async handle(context) {
      const { metrics, audit } = context.services;
      const redeemed = await redeem(context);
      const outcome = typeof redeemed === 'string' ? redeemed : 'ok';
      metrics.inc('service_sign_ins_total', { step: 'terminal', outcome });
      if (typeof redeemed === 'string') {
        audit.session('session.signInFailed', { ...context.origin, code: redeemed });
        return { status: 400, json: { error: redeemed, error_description: REFUSED[redeemed] } };
      }
      const { user, sessionId, token, expiresInSeconds } = redeemed;
      const actor = auditActor(user, sessionId);
      audit.session('session.signIn', { ...context.origin, ...actor, via: 'terminal' });
      const json = { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds } as const;
      return { status: 200, json };
    },
  }),
];

/** @throws {ServiceError} */
async function redeem(context: RequestContext): Promise<RedeemedCode | TokenErrorCode> {
  const terminal = requireTerminal(context);
  const { form = new URLSearchParams() } = context;
  const [grantType = [], code = [], verifier = []] = Object.keys(tokenForm.shape).map((name) =>
    form.getAll(name),
  );
  // Other grants have other fields, so what they need is not looked at.
  if (grantType.length === 1 && !['', 'authorization_code'].includes(grantType[0] ?? ''))
    return 'unsupported_grant_type';
  const isOnce = [grantType, code, verifier].every(({ length, 0: value }) => length === 1 && value !== '');
  if (!isOnce) return 'invalid_request';
  return (await terminal.redeem(code[0] ?? '', verifier[0] ?? '')) ?? 'invalid_grant';
}

function requireTerminal({ services: { terminal } }: RequestContext): TerminalSignIn {
  if (terminal !== undefined) return terminal;
  throw new ServiceError('notConfigured', 'Sign-in is disabled: commands need no token');
}
