import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';

/** What of a client's settings its authentication needs. */
export type ClientCredentials = Pick<OidcSettings, 'clientId' | 'clientSecret' | 'clientAuthMethod'>;

/** How the service authenticates at the token endpoint; without a secret it is a public client. */
export function clientAuthentication(credentials: ClientCredentials): client.ClientAuth {
  const { clientSecret, clientAuthMethod } = credentials;
  if (clientSecret === undefined) return client.None();
  if (clientAuthMethod === 'client_secret_post') return client.ClientSecretPost(clientSecret);
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', basicAuthorization(client_id, clientSecret));
  };
}

/**
 * The Authorization header of `client_secret_basic`. RFC 6749, section 2.3.1 has both parts form-encoded, and many
 * providers do not decode them: Glewlwyd and LemonLDAP::NG refuse every secret with a `-` in it when that comes as
 * `%2D`, which is how openid-client's own method sends it.
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;
}

/**
 * Encodes only what a decoder would change, and what the header cannot carry. Everything else reads the same
 * whether the provider decodes or not.
 */
function encoded(text: string): string {
  return text.toWellFormed().replaceAll(/[^!-~]|[%+:]/gu, encodeURIComponent);
}
