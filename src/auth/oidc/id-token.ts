import type { IDToken } from 'openid-client';
import { LoginFailure, type LoginFailureCode } from './login-failure.ts';

/** How far ahead of ours the provider's clock may be. */
const MAX_ISSUED_AHEAD_SECONDS = 300;

/**
 * Checks what OpenID Connect Core 1.0, section 3.1.3.7 asks for and the library leaves to its caller.
 * @throws {LoginFailure}
 */
export function checkIdToken(claims: IDToken | undefined, clientId: string, nowMs: number): IDToken {
  if (claims === undefined) throw refused('invalid_id_token');
  if (claims.sub.trim() === '') throw refused('subject_missing');
  // Additional audiences are to be refused unless trusted, and there are none that this service trusts.
  if ([claims.aud].flat().length !== 1) throw refused('audience_mismatch');
  if (claims.azp !== undefined && claims.azp !== clientId) throw refused('audience_mismatch');
  if (!(claims.iat * 1_000 <= nowMs + MAX_ISSUED_AHEAD_SECONDS * 1_000)) throw refused('token_time_invalid');
  return claims;
}

/** The ID token came with the token answer, whatever was asked for after it. */
function refused(code: LoginFailureCode): LoginFailure {
  return new LoginFailure(code, { stage: 'token' });
}
