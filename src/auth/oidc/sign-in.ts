import { failedLoginPage, type IdpError } from '../../contract/login-errors.ts';
import * as client from 'openid-client';
import type { SessionUser } from '../../access/actor.ts';
import type { OidcSettings, Settings } from '../../config/settings.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { callbackAddress, callbackParameters, isSuccess, refuseDuplicates } from './callback-parameters.ts';
import { mapClaims, type ClaimDocuments, type MappedUser } from './claims.ts';
import { exchangeCode, type ExchangedCode } from './code-exchange.ts';
import type { SetCookie } from '../session/cookies.ts';
import { discover } from './discovery.ts';
import { LoginFailure, type LoginFailureCode, type UserInfoState } from './login-failure.ts';
import { createSignedInLog, logBeginFailure, logFinishFailure, logUserInfoFailure } from './login-log.ts';
import type { LoginClientOptions } from './login-client.ts';
import { beginError } from './login-outcome.ts';
import { createProviderCache } from './provider-cache.ts';
import { createProviderLogout, type ProviderLogout } from './provider-logout.ts';
import { classifyErrorCode } from './provider-errors.ts';
import { createProviderFetch, MAX_RESPONSE_BYTES, REQUEST_TIMEOUT_MS, type Fetch } from './provider-fetch.ts';
import { configurationFor } from './provider.ts';
import type { GroupFilter } from '../session/group-filter.ts';
import type { Sessions } from '../session/sessions.ts';
import {
  consumedTransaction,
  presentsTransaction,
  readTransaction,
  sameState,
  transactionCookies,
  type Transaction,
} from './transaction.ts';
import { callbackRefusal, translateFailure } from './translate-failure.ts';

/** Where to send the browser, and the cookies to set. */
export interface SignInStep {
  readonly redirectTo: string;
  readonly cookies: readonly SetCookie[];
  /** `ok`, `replayed`, or why the login failed; one of a closed list, fit for a metric's label. */
  readonly outcome: 'ok' | 'replayed' | LoginFailureCode;
  /** Who signed in, if a login was completed. */
  readonly user?: SessionUser;
}

export interface Callback {
  /** Path and query as requested. */
  readonly url: string;
  readonly cookies: ReadonlyMap<string, string>;
  /** Scheme and host of the request, for the log field `redirectBaseMatches` only. */
  readonly requestBase?: string | undefined;
  /** For the log lines. */
  readonly requestId?: string | undefined;
}

/** The two steps of a login, and signing out at the provider. The service keeps nothing between the steps. */
export interface SignIn {
  /**
   * Sends the browser to the provider.
   * @throws {ServiceError} `notConfigured`, or `providerUnavailable` with a fixed text
   */
  begin(requestId?: string): Promise<SignInStep>;
  /** Handles the callback. Never rejects: a failure is a redirect, and always consumes the transaction. */
  finish(callback: Callback): Promise<SignInStep>;
  /**
   * Where the browser signs out at the provider after signing out here; undefined unless that is configured and
   * possible. Never rejects.
   */
  providerLogout(user: SessionUser, requestId?: string): Promise<string | undefined>;
}

export interface SignInOptions {
  readonly auth: Settings['auth'];
  readonly production: boolean;
  readonly sessions: Sessions;
  /** The groups that a session keeps. */
  readonly keepGroups: GroupFilter;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly fetch?: Fetch;
  /** Of one request to the provider. */
  readonly timeoutMs?: number;
  /** Called with the claims of a login once the tokens are verified, before the claims are checked. For the doctor. */
  readonly onClaims?: (documents: ClaimDocuments) => void;
  /** Called once for each login that requested UserInfo, with the outcome for a metric's label. */
  readonly countUserInfo?: (outcome: 'ok' | LoginFailureCode) => void;
}

const HOME = '/';

/** The options, and what is made once for all logins. */
interface SignInContext extends SignInOptions {
  /** Undefined if no provider is configured. */
  readonly access: LoginClientOptions | undefined;
  readonly logSignedIn: ReturnType<typeof createSignedInLog>;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { auth, production } = options;
  const access = auth.oidc && providerAccess(auth.oidc, options);
  const context: SignInContext = { ...options, access, logSignedIn: createSignedInLog() };
  const logout = logoutFor(options, access);
  return {
    begin: async (requestId) => {
      if (auth.disabled) return { redirectTo: HOME, cookies: [], outcome: 'ok' };
      try {
        return await beginLogin(context);
      } catch (error) {
        const failure = translateFailure(error).with({ stage: 'discovery' });
        logBeginFailure(options.logger.with({ requestId }), failure);
        throw beginError(failure);
      }
    },
    finish: async (callback) => {
      const consumed = consumedTransaction(production);
      if (auth.disabled) return { redirectTo: HOME, cookies: consumed, outcome: 'ok' };
      const parameters = callbackParameters(callback.url);
      const logger = options.logger.with({ requestId: callback.requestId });
      try {
        return await finishLogin(parameters, callback, { ...context, logger });
      } catch (error) {
        const failure = translateFailure(error).with({ stage: 'callback' });
        const idpError = failure.details.idpError ?? verdictIn(parameters);
        const { requestBase } = callback;
        logFinishFailure(logger, failure, { idpError, requestBase, redirectUri: auth.oidc?.redirectUri });
        return { redirectTo: failedLoginPage(idpError), cookies: consumed, outcome: failure.code };
      }
    },
    providerLogout: async (user, requestId) => logout?.(user, options.logger.with({ requestId })),
  };
}

async function beginLogin({ access, sessions, production }: SignInContext): Promise<SignInStep> {
  const ready = requireReady(access, sessions);
  const transaction: Transaction = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const address = await authorizationAddress(ready, transaction);
  return { redirectTo: address.href, cookies: transactionCookies(transaction, production), outcome: 'ok' };
}

async function finishLogin(
  parameters: URLSearchParams,
  callback: Callback,
  context: SignInContext,
): Promise<SignInStep> {
  refuseDuplicates(parameters);
  const transaction = readTransaction(callback.cookies, context.production);
  if (transaction === undefined) {
    if (!(await isReplay(parameters, callback, context))) throw new LoginFailure('transaction_incomplete');
    context.logger.info('callback of a finished login came again');
    return { redirectTo: HOME, cookies: [], outcome: 'replayed' };
  }
  checkCallback(parameters, transaction);
  const ready = requireReady(context.access, context.sessions);
  const address = callbackAddress(ready.oidc.redirectUri, parameters);
  const exchanged = await exchangeCode({ ...ready, callback: address, transaction });
  reportExchange(exchanged, context);
  return issueSession(identifiedUser(exchanged, ready.oidc), exchanged.userInfo, callback, context);
}

/** The state is compared first: a callback of another login must not decide how this one ends. */
function checkCallback(parameters: URLSearchParams, transaction: Transaction): void {
  if (!sameState(parameters.get('state'), transaction.state)) throw new LoginFailure('state_mismatch');
  if (parameters.has('error')) {
    throw callbackRefusal(parameters.get('error'), parameters.get('error_description'));
  }
  if (!parameters.get('code')) throw new LoginFailure('code_missing');
}

/** Before the claims are checked, so that it also happens for a login that they refuse. */
function reportExchange(
  { documents, userInfo, userInfoFailure }: ExchangedCode,
  { logger, countUserInfo, onClaims }: SignInContext,
): void {
  if (userInfoFailure !== undefined) logUserInfoFailure(logger, userInfoFailure);
  if (userInfo !== 'none') countUserInfo?.(userInfoFailure?.code ?? 'ok');
  onClaims?.(documents);
}

/** The user with all groups of the provider. */
function identifiedUser({ documents, userInfo }: ExchangedCode, oidc: OidcSettings): SessionUser {
  const mapped = mapClaims(documents, oidc);
  if (mapped.refused !== undefined) throw refusedIdentity(mapped.refused, oidc, userInfo);
  return mapped.user;
}

async function issueSession(
  identified: SessionUser,
  userInfo: UserInfoState,
  callback: Callback,
  { sessions, keepGroups, production, logger, logSignedIn }: SignInContext,
): Promise<SignInStep> {
  const user = { ...identified, groups: keepGroups(identified.groups) };
  const issued = await sessions.issue(user, { present: callback.cookies });
  if (issued.outcome === 'invalidKey') throw new LoginFailure('invalid_signing_key');
  if (issued.outcome === 'tooLarge') {
    const { bytes, limit } = issued;
    const count = user.groups.length;
    throw new LoginFailure('session_too_large', { bytes, limit, count, idpError: 'session_too_large' });
  }
  const cookies = [...consumedTransaction(production), ...issued.cookies];
  const groupsLeftOut = identified.groups.length - user.groups.length;
  logSignedIn(logger, { user, groupsLeftOut, userInfo, parts: issued.parts, cookies });
  return { redirectTo: HOME, cookies, outcome: 'ok', user };
}

/**
 * Whether someone who is signed in has returned to the callback of a completed login, by the Back button for example.
 * They are redirected home and the session does not change, so a callback of another person's login has no effect. If
 * any cookie of a login is left, a login is in progress, and its failure must be shown.
 */
async function isReplay(
  parameters: URLSearchParams,
  { cookies }: Callback,
  { production, sessions }: SignInOptions,
): Promise<boolean> {
  if (!isSuccess(parameters) || presentsTransaction(cookies, production)) return false;
  try {
    return (await sessions.read(cookies)) !== undefined;
  } catch (error) {
    // While revocations are unavailable, no session counts.
    if (isServiceError(error, 'unavailable')) return false;
    throw error;
  }
}

/** The person can change their email, so the login page explains that. A missing claim is a matter of the provider. */
function refusedIdentity(
  code: NonNullable<MappedUser['refused']>,
  { usernameClaim }: OidcSettings,
  userInfo: UserInfoState,
): LoginFailure {
  if (code === 'email_missing') return new LoginFailure(code, { claim: usernameClaim, userInfo });
  return new LoginFailure(code, code === 'subject_missing' ? {} : { idpError: code });
}

/** How this process reaches the provider. */
function providerAccess(oidc: OidcSettings, options: SignInOptions): LoginClientOptions {
  const { production, logger, now, fetch = globalThis.fetch, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const policy = { allowHttp: oidc.allowHttp, production };
  const request = createProviderFetch({ fetch, policy, timeoutMs, maxBytes: MAX_RESPONSE_BYTES });
  const providers = createProviderCache({
    discover: () => discover({ oidc, policy, request, netMs: 2 * timeoutMs }),
    logger,
    now,
  });
  return { oidc, policy, request, providers, now };
}

/** The provider's configuration for addresses of the browser. It sends no request. */
async function currentConfiguration(access: LoginClientOptions): Promise<client.Configuration> {
  const { oidc, policy, request, providers } = access;
  return configurationFor(await providers.current(), { oidc, policy, fetch: request as client.CustomFetch });
}

function logoutFor(
  { auth }: SignInOptions,
  access: LoginClientOptions | undefined,
): ProviderLogout | undefined {
  const postLogoutRedirectUri = auth.oidc?.postLogoutRedirectUri;
  if (auth.disabled || access === undefined || postLogoutRedirectUri === undefined) return undefined;
  return createProviderLogout({ provider: () => currentConfiguration(access), postLogoutRedirectUri });
}

/** What both steps need: settings, and a key that can sign sessions. */
function requireReady(access: LoginClientOptions | undefined, sessions: Sessions): LoginClientOptions {
  if (access === undefined) throw new LoginFailure('not_configured');
  if (sessions.keyProblem() !== undefined) throw new LoginFailure('invalid_signing_key');
  return access;
}

async function authorizationAddress(
  access: LoginClientOptions,
  { state, nonce, verifier }: Transaction,
): Promise<URL> {
  const { oidc } = access;
  return client.buildAuthorizationUrl(await currentConfiguration(access), {
    redirect_uri: oidc.redirectUri,
    scope: oidc.scopes.join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
}

/**
 * The provider's error in a callback that failed for another reason first, such as lost cookies. It is one of a closed
 * list, so it does no harm in a forged callback. A repeated parameter is ignored.
 */
function verdictIn(parameters: URLSearchParams): IdpError | undefined {
  const [error, ...others] = parameters.getAll('error');
  return error === undefined || others.length > 0 ? undefined : classifyErrorCode(error);
}
