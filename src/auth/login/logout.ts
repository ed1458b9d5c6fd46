import * as client from 'openid-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionUser } from '../../access/actor.ts';
import type { Logger } from '../../observability/logger.ts';
import { failureFields, LoginFailure } from './login-failure.ts';
import { currentConfiguration, type ProviderAccess } from './provider.ts';
import { translateFailure } from './translate-failure.ts';

/** How long signing out waits for a provider that is not read yet. Signing out of the service must not depend on it. */
const WAIT_MS = 2_000;

/**
 * The address where a browser signs out at the provider, too (OpenID Connect RP-Initiated Logout 1.0, section 2);
 * undefined where that is not configured, or not possible, which is logged. Never rejects.
 */
export function createProviderLogout(access: ProviderAccess | undefined) {
  const postLogoutRedirectUri = access?.oidc.postLogoutRedirectUri;
  let hasWarned = false;
  return async ({ sub }: SessionUser, logger: Logger): Promise<string | undefined> => {
    if (access === undefined || postLogoutRedirectUri === undefined) return undefined;
    try {
      const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
        throw new LoginFailure('timeout');
      });
      const provider = await Promise.race([currentConfiguration(access), late]);
      if (provider.serverMetadata().end_session_endpoint !== undefined) {
        // There is no ID token for `id_token_hint`, since none is kept. `logout_hint` is the subject, which only the
        // provider can interpret: an email would remain in browser histories and proxy logs.
        return client.buildEndSessionUrl(provider, {
          client_id: access.oidc.clientId,
          logout_hint: sub,
          post_logout_redirect_uri: postLogoutRedirectUri,
        }).href;
      }
      if (!hasWarned) logger.warn('provider announces no logout', { variable: 'OIDC_RP_LOGOUT' });
      hasWarned = true;
    } catch (error) {
      logger.warn('logout at the provider was left out', failureFields(translateFailure(error)));
    }
    return undefined;
  };
}
