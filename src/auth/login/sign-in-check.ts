import type { Settings } from '../../config/settings.ts';
import type { Logger } from '../../observability/logger.ts';
import { readSigningKey } from '../session/sessions.ts';
import { logFailure } from './failure-report.ts';
import { LoginFailure } from './login-failure.ts';
import { discover } from './provider.ts';
import {
  createProviderFetch,
  MAX_RESPONSE_BYTES,
  REQUEST_TIMEOUT_MS,
  type Fetch,
} from './provider-requests.ts';
import { translateFailure } from './translate-failure.ts';

export interface SignInCheck {
  readonly settings: Pick<Settings, 'auth' | 'production'>;
  readonly fetch: Fetch;
}

/**
 * Tries what a login does before the browser goes to the provider, and logs why it would fail. It keeps nothing: the
 * first login reads the provider again. Never rejects.
 */
export async function checkSignIn(check: SignInCheck, logger: Pick<Logger, 'info' | 'warn' | 'error'>) {
  try {
    await beginning(check);
    logger.info('sign-in can begin');
  } catch (error) {
    logFailure(logger, 'sign-in will fail', translateFailure(error));
  }
}

async function beginning({ settings: { auth, production }, fetch }: SignInCheck): Promise<void> {
  const { oidc, sessionSecret } = auth;
  if (oidc === undefined) throw new LoginFailure('not_configured');
  if (readSigningKey(sessionSecret).problem !== undefined) throw new LoginFailure('invalid_signing_key');
  const policy = { allowHttp: oidc.allowHttp, production };
  const request = createProviderFetch({
    fetch,
    policy,
    timeoutMs: REQUEST_TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
  });
  await discover({ oidc, policy }, request, 2 * REQUEST_TIMEOUT_MS);
}
