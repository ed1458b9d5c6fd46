import * as client from 'openid-client';
import type { OidcSettings } from '../../config/settings.ts';

/** The settings that client authentication needs. */
export type ClientCredentials = Pick<OidcSettings, 'clientId' | 'clientSecret' | 'clientAuthMethod'>;

/** How the service authenticates at the token endpoint. Without a secret it is a public client. */
export function clientAuthentication(credentials: ClientCredentials): client.ClientAuth {
  const { clientSecret, clientAuthMethod } = credentials;
  if (clientSecret === undefined) return client.None();
  if (clientAuthMethod === 'client_secret_post') return client.ClientSecretPost(clientSecret);
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', basicAuthorization(client_id, clientSecret));
  };
}

/**
 * The Authorization header of `client_secret_basic`. RFC 6749, section 2.3.1 requires both to be form-encoded, but many
 * providers do not decode them: Glewlwyd and LemonLDAP::NG refuse every secret with a `-` in it when it is sent as
 * `%2D`, as openid-client's own method does.
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64')}`;
}

/**
 * Encodes only what a decoder would change and what the header cannot hold. The rest is the same whether or not the
 * provider decodes it.
 */
function encoded(text: string): string {
  return text.toWellFormed().replaceAll(/[^!-~]|[%+:]/gu, encodeURIComponent);
}
