import * as client from 'openid-client';
import type { SessionUser } from '../../access/actor.ts';
import type { OidcSettings } from '../../config/settings.ts';
import { failedLoginPage, type IdpError } from '../../contract/login-errors.ts';
import { ignoring } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Cookies, SetCookie } from '../session/cookies.ts';
import { isSameText } from '../session/session-token.ts';
import type { Sessions } from '../session/sessions.ts';
import { mapClaims, type ClaimDocuments } from './claims.ts';
import { createCodeExchange, readUserInfo, redeemCode, type UserInfo } from './code-exchange.ts';
import type { createSessionIssuer } from './issue-session.ts';
import { beginError, logFailure, LoginFailure, type LoginFailureCode } from './login-failure.ts';
import { currentConfiguration, type ProviderAccess } from './provider.ts';
import {
  consumedTransaction,
  presentsTransaction,
  readTransaction,
  transactionCookies,
} from './transaction.ts';
import { classifyErrorCode, refusal, translateFailure } from './translate-failure.ts';

/** Where to send the browser, and the cookies to set. */
export interface LoginStep {
  readonly redirectTo: string;
  readonly cookies: readonly SetCookie[];
  /** `ok`, `replayed`, or why the login failed; one of a closed list, fit for a metric's label. */
  readonly outcome: 'ok' | 'replayed' | LoginFailureCode;
  /** Who signed in, if a login was completed, and the hash of the new session's token. */
  readonly user?: SessionUser;
  readonly sessionId?: string;
}

/** What the two steps of a login use. The service keeps nothing between them. */
export interface LoginContext {
  /** Undefined if no provider is configured. */
  readonly access: ProviderAccess | undefined;
  readonly sessions: Sessions;
  readonly issueSession: ReturnType<typeof createSessionIssuer>;
  readonly production: boolean;
  /** With the id of the request. */
  readonly logger: Logger;
  /** Called with the claims of a login once the tokens are verified, before the claims are checked. For the doctor. */
  readonly onClaims?: ((documents: ClaimDocuments) => void) | undefined;
  /** Counts the logins that requested UserInfo. */
  readonly metrics?: Pick<Metrics, 'inc'> | undefined;
}

/**
 * The first step: sends the browser to the provider.
 * @throws {ServiceError} `notConfigured`, or `providerUnavailable` with a fixed text
 */
export async function beginLogin(context: LoginContext): Promise<LoginStep> {
  try {
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const verifier = client.randomPKCECodeVerifier();
    const access = requireReady(context);
    const address = client.buildAuthorizationUrl(await currentConfiguration(access), {
      redirect_uri: access.oidc.redirectUri,
      scope: access.oidc.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const cookies = transactionCookies({ state, nonce, verifier }, context.production);
    return { redirectTo: address.href, cookies, outcome: 'ok' };
  } catch (error) {
    const failure = translateFailure(error).with({ stage: 'discovery' });
    logFailure(context.logger, 'login could not begin', failure);
    throw beginError(failure);
  }
}

/** What both steps need: settings, and a key that can sign sessions. */
export function requireReady({ access, sessions }: LoginContext): ProviderAccess {
  if (access === undefined) throw new LoginFailure('not_configured');
  if (sessions.keyProblem() !== undefined) throw new LoginFailure('invalid_signing_key');
  return access;
}

interface Callback {
  /** Path and query as requested. */
  readonly url: string;
  readonly cookies: Cookies;
  /** Scheme and host of the request, for the log field `redirectBaseMatches` only. */
  readonly requestBase?: string | undefined;
}

const HOME = '/';

/** Handles the callback. Never rejects: a failure is a redirect, and always consumes the transaction. */
export async function finishLogin(callback: Callback, context: LoginContext): Promise<LoginStep> {
  const parameters = new URLSearchParams(callback.url.replace(/^[^?]*/, ''));
  try {
    return await completeLogin(parameters, callback.cookies, context);
  } catch (error) {
    const failure = translateFailure(error).with({
      stage: 'callback',
      idpError: idpErrorIn(parameters),
      redirectBaseMatches: baseMatches(callback.requestBase, context.access?.oidc.redirectUri),
    });
    logFailure(context.logger, 'login failed', failure);
    const redirectTo = failedLoginPage(failure.details.idpError);
    return { redirectTo, cookies: consumedTransaction(context.production), outcome: failure.code };
  }
}

/** The seven steps of a callback, in order. The first that fails decides how the login ends. */
async function completeLogin(
  parameters: URLSearchParams,
  cookies: Cookies,
  context: LoginContext,
): Promise<LoginStep> {
  const { logger, metrics, onClaims } = context;
  refuseDuplicates(parameters);
  const transaction = readTransaction(cookies, context.production);
  if (transaction === undefined) return replayedLogin(parameters, cookies, context);
  // Before the rest of the query: a callback of another login must not decide how this one ends.
  const state = parameters.get('state') ?? '';
  if (!isSameText(state, transaction.state)) throw new LoginFailure('state_mismatch');
  requireCode(parameters);
  const exchange = await createCodeExchange(requireReady(context));
  const tokens = await redeemCode(exchange, parameters, transaction);
  const { state: userInfo, claims, failure } = await readUserInfo(exchange, tokens);
  // UserInfo is reported before the claims can refuse the login.
  if (failure !== undefined) logFailure(logger, 'userinfo failed', failure);
  if (userInfo !== 'none') metrics?.inc('service_userinfo_reads_total', { outcome: failure?.code ?? 'ok' });
  const documents = { idToken: tokens.idToken, userInfo: claims };
  onClaims?.(documents);
  const user = identifyUser(documents, exchange.oidc, userInfo);
  const session = await context.issueSession(user, userInfo, cookies, logger);
  return { redirectTo: HOME, outcome: 'ok', ...session };
}

/**
 * A repeated parameter is a failure (RFC 6749, section 3.1): one reader could take the first value and another the
 * last.
 */
function refuseDuplicates(parameters: URLSearchParams): void {
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw new LoginFailure('duplicate_parameter');
}

/**
 * Someone who is signed in may return to the callback of a completed login, by the Back button for example. They are
 * redirected home and the session does not change, so a callback of another person's login has no effect. If any cookie
 * of a login is left, a login is in progress, and its failure must be shown.
 */
async function replayedLogin(
  parameters: URLSearchParams,
  cookies: Cookies,
  { sessions, production, logger }: LoginContext,
): Promise<LoginStep> {
  const isSuccess = parameters.get('code') && parameters.get('state') && !parameters.has('error');
  if (!isSuccess || presentsTransaction(cookies, production))
    throw new LoginFailure('transaction_incomplete');
  // While revocations are unavailable, no session counts.
  const user = await sessions.read(cookies).catch(ignoring('unavailable'));
  if (user === undefined) throw new LoginFailure('transaction_incomplete');
  logger.info('callback of a finished login came again');
  return { redirectTo: HOME, cookies: [], outcome: 'replayed' };
}

function requireCode(parameters: URLSearchParams): void {
  if (parameters.has('error')) {
    throw refusal(parameters.get('error'), parameters.get('error_description'), 'callback');
  }
  if (!parameters.get('code')) throw new LoginFailure('code_missing');
}

/** The user with all groups of the provider. */
function identifyUser(documents: ClaimDocuments, oidc: OidcSettings, userInfo: UserInfo['state']) {
  const { user, refused } = mapClaims(documents, oidc);
  if (user !== undefined) return user;
  if (refused === 'subject_missing') throw new LoginFailure(refused);
  if (refused === 'email_missing') throw new LoginFailure(refused, { claim: oidc.usernameClaim, userInfo });
  // People can change their email, so the login page explains this.
  throw new LoginFailure(refused, { idpError: refused });
}

/**
 * The provider's error in a callback that failed for another reason first, such as lost cookies. It is one of a closed
 * list, so it does no harm in a forged callback. A repeated parameter is ignored.
 */
function idpErrorIn(parameters: URLSearchParams): IdpError | undefined {
  const [error, ...others] = parameters.getAll('error');
  return error === undefined || others.length > 0 ? undefined : classifyErrorCode(error);
}

/** May be false behind a proxy, where it is no problem. Elsewhere it explains an `invalid_grant`. */
function baseMatches(requestBase: string | undefined, redirectUri: string | undefined): boolean | undefined {
  if (requestBase === undefined || redirectUri === undefined) return undefined;
  return URL.canParse(requestBase) && new URL(requestBase).origin === new URL(redirectUri).origin;
}
