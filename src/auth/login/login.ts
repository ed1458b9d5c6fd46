import * as client from 'openid-client';
import type { SessionUser } from '../../access/actor.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { SetCookie } from '../session/cookies.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ClaimDocuments } from './claims.ts';
import type { createSessionIssuer } from './issue-session.ts';
import { beginError, logFailure, LoginFailure, type LoginFailureCode } from './login-failure.ts';
import { currentConfiguration, type ProviderAccess } from './provider-cache.ts';
import { transactionCookies } from './transaction.ts';
import { translateFailure } from './translate-failure.ts';

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
