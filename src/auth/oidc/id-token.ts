import type { IDToken } from 'openid-client';
import { LoginFailure, type LoginFailureCode } from './login-failure.ts';

/** How far the provider's clock may be ahead of ours. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

/**
 * Makes the checks of OpenID Connect Core 1.0, section 3.1.3.7 that the library leaves to its caller.
 * @throws {LoginFailure}
 */
export function checkIdToken(claims: IDToken | undefined, clientId: string, nowMs: number): IDToken {
  if (claims === undefined) throw refused('invalid_id_token');
  if (claims.sub.trim() === '') throw refused('subject_missing');
  // Additional audiences must be refused unless trusted. This service trusts none.
  if ([claims.aud].flat().length !== 1) throw refused('audience_mismatch');
  if (claims.azp !== undefined && claims.azp !== clientId) throw refused('audience_mismatch');
  if (!(claims.iat * 1_000 <= nowMs + MAX_ISSUED_AHEAD_SECONDS * 1_000)) throw refused('token_time_invalid');
  return claims;
}

/** The stage is always `token`, because the ID token arrived with the token response. */
function refused(code: LoginFailureCode): LoginFailure {
  return new LoginFailure(code, { stage: 'token' });
}
