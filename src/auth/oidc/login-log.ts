import type { SessionUser } from '../../access/actor.ts';
import type { Logger, LogFields } from '../../observability/logger.ts';
import type { SetCookie } from '../session/cookies.ts';
import type { LoginFailure, UserInfoState } from './login-failure.ts';
import { hintOf } from './login-outcome.ts';
import type { IdpError } from '../../contract/login-errors.ts';
import { DEFAULT_PROXY_BUFFER_BYTES, responseHeadBytes } from '../session/response-head.ts';

/** A completed login. */
export interface SignedIn {
  readonly user: SessionUser;
  /** How many groups of the provider were left out of the session. */
  readonly groupsLeftOut: number;
  readonly userInfo: UserInfoState;
  /** The cookies of the response, and how many of them hold the session. */
  readonly cookies: readonly SetCookie[];
  readonly parts: number;
}

const LARGE_HEAD_HINT =
  'nginx answers 502 unless proxy_buffer_size is raised. Set SERVICE_GROUPS_FILTER or SERVICE_COMPACT_SESSIONS=true, or give the proxy larger buffers.';

/**
 * Logs each completed login. Warns once per process when a response is larger than a proxy accepts by default: the
 * service never sees the error that such a proxy sends to the browser.
 */
export function createSignedInLog(): (logger: Logger, signedIn: SignedIn) => void {
  let hasWarned = false;
  return (logger, { user, groupsLeftOut, userInfo, cookies, parts }) => {
    const headerBytes = responseHeadBytes(cookies);
    const size = { count: user.groups.length, groupsLeftOut, cookieCount: parts, headerBytes };
    logger.info('signed in', { actor: user.email, userInfo, ...size });
    if (headerBytes <= DEFAULT_PROXY_BUFFER_BYTES || hasWarned) return;
    hasWarned = true;
    logger.warn('sign-in answers exceed what proxies take by default', { ...size, hint: LARGE_HEAD_HINT });
  };
}

/** The one line that says why a login could not begin. */
export function logBeginFailure(logger: Logger, failure: LoginFailure): void {
  write(logger, 'login could not begin', failure, {});
}

/** What a failed login is logged with. */
export interface FailedLogin {
  readonly idpError: IdpError | undefined;
  readonly requestBase: string | undefined;
  readonly redirectUri: string | undefined;
}

/** The one line that says why a login failed. */
export function logFinishFailure(
  logger: Logger,
  failure: LoginFailure,
  { idpError, requestBase, redirectUri }: FailedLogin,
): void {
  const redirectBaseMatches = baseMatches(requestBase, redirectUri);
  write(logger, 'login failed', failure, { idpError, redirectBaseMatches });
}

/** Logins continue with the document that was read before. */
export function logRefreshFailure(logger: Logger, failure: LoginFailure): void {
  write(logger, 'discovery refresh failed', failure, {});
}

/** The login continues with the ID token's claims alone, which often have no groups. */
export function logUserInfoFailure(logger: Logger, failure: LoginFailure): void {
  write(logger, 'userinfo failed', failure, {});
}

function write(logger: Logger, event: string, failure: LoginFailure, fields: LogFields): void {
  const line = { code: failure.code, hint: hintOf(failure), ...failure.details, ...fields };
  if (failure.code === 'internal') logger.error(event, line);
  else logger.warn(event, line);
}

/** May be false behind a proxy, where it is no problem. Elsewhere it explains an `invalid_grant`. */
function baseMatches(requestBase: string | undefined, redirectUri: string | undefined): boolean | undefined {
  if (requestBase === undefined || redirectUri === undefined) return undefined;
  return URL.canParse(requestBase) && new URL(requestBase).origin === new URL(redirectUri).origin;
}
