import * as client from 'openid-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionUser } from '../../access/actor.ts';
import type { Logger } from '../../observability/logger.ts';
import { LoginFailure } from './login-failure.ts';
import { hintOf } from './login-outcome.ts';
import { translateFailure } from './translate-failure.ts';

/** How long signing out waits for a provider that is not read yet. Signing out of the service must not depend on it. */
const WAIT_MS = 2_000;

export interface ProviderLogoutOptions {
  readonly provider: () => Promise<client.Configuration>;
  /** Where the provider sends the browser afterwards. */
  readonly postLogoutRedirectUri: string;
}

/**
 * The address where a browser signs out at the provider, too (OpenID Connect RP-Initiated Logout 1.0, section 2);
 * undefined where that is not possible, which is logged. Never rejects.
 */
export type ProviderLogout = (user: SessionUser, logger: Logger) => Promise<string | undefined>;

export function createProviderLogout({
  provider,
  postLogoutRedirectUri,
}: ProviderLogoutOptions): ProviderLogout {
  let hasWarned = false;
  return async (user, logger) => {
    try {
      const found = await withinWait(provider());
      if (found.serverMetadata().end_session_endpoint !== undefined) {
        return logoutAddress(found, user, postLogoutRedirectUri);
      }
      if (!hasWarned) logger.warn('provider announces no logout', { variable: 'OIDC_RP_LOGOUT' });
      hasWarned = true;
    } catch (error) {
      const failure = translateFailure(error);
      const fields = { code: failure.code, hint: hintOf(failure), ...failure.details };
      logger.warn('logout at the provider was left out', fields);
    }
    return undefined;
  };
}

/**
 * There is no ID token for `id_token_hint`, since none is kept. `logout_hint` is the subject, which only the provider
 * can interpret: an email would remain in browser histories and proxy logs.
 */
function logoutAddress(
  provider: client.Configuration,
  { sub }: SessionUser,
  postLogoutRedirectUri: string,
): string {
  return client.buildEndSessionUrl(provider, {
    client_id: provider.clientMetadata().client_id,
    logout_hint: sub,
    post_logout_redirect_uri: postLogoutRedirectUri,
  }).href;
}

async function withinWait(provider: Promise<client.Configuration>): Promise<client.Configuration> {
  const done = new AbortController();
  const late = sleep(WAIT_MS, undefined, { signal: done.signal }).then(() => {
    throw new LoginFailure('timeout');
  });
  try {
    return await Promise.race([provider, late]);
  } finally {
    late.catch(() => undefined); // It is aborted once the provider is there.
    done.abort();
  }
}
