import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { findAccountBySub } from './accounts.ts';
import { alwaysPromptForAccount } from './interactions.ts';
import { errorPage, logoutPage } from './login-page.ts';

/** The public client that the service uses in development (PKCE only). */
export const PUBLIC_CLIENT_ID = 'secrets-management-service';
/** A confidential client for tests of the client authentication methods; its secret is public. */
export const CONFIDENTIAL_CLIENTS = {
  client_secret_basic: {
    id: 'secrets-management-service-basic',
    secret: 'development-client-secret: 100% & public+known',
  },
  client_secret_post: {
    id: 'secrets-management-service-post',
    secret: 'development-client-secret: 100% & public+known',
  },
} as const;

/** oidc-provider's configuration: the demo accounts, fresh keys per start, PKCE for everyone, no consent page. */
export function devIdpConfiguration(redirectUris: readonly string[]): Configuration {
  return {
    ...clientConfiguration(redirectUris),
    ...claimConfiguration(),
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.type = 'html';
          ctx.body = logoutPage(form);
        },
      },
    },
    interactions: {
      policy: alwaysPromptForAccount(),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    loadExistingGrant: grantRequestedScopes,
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = errorPage(out.error, out.error_description ?? '');
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 3_600,
      Session: 3_600,
      Grant: 3_600,
    },
  };
}

function clientConfiguration(redirectUris: readonly string[]): Configuration {
  const common = {
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: redirectUris.map(signInPageBeside),
    response_types: ['code' as const],
  };
  const confidential = (method: 'client_secret_basic' | 'client_secret_post') => ({
    ...common,
    client_id: CONFIDENTIAL_CLIENTS[method].id,
    client_secret: CONFIDENTIAL_CLIENTS[method].secret,
    token_endpoint_auth_method: method,
  });
  return {
    clients: [
      { ...common, client_id: PUBLIC_CLIENT_ID, token_endpoint_auth_method: 'none' },
      confidential('client_secret_basic'),
      confidential('client_secret_post'),
    ],
    responseTypes: ['code'],
    pkce: { required: () => true },
  };
}

function claimConfiguration(): Configuration {
  return {
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    // Claims in the ID token too, as the providers do that the service meets in the field.
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => {
      const account = findAccountBySub(sub);
      if (account === undefined) return undefined;
      const { email, name, groups, emailVerified = true } = account;
      const claims = { sub, email, email_verified: emailVerified, name, groups: [...groups] };
      return { accountId: sub, claims: () => claims };
    },
  };
}

/** Where the service has a browser come back to after a logout: its own sign-in page. */
function signInPageBeside(redirectUri: string): string {
  return `${redirectUri.replace(/\/api\/auth\/callback$/, '')}/login`;
}

/** There is no consent page: in development the answer would always be yes. */
async function grantRequestedScopes(ctx: KoaContextWithOIDC) {
  const { client, session, provider, requestParamScopes } = ctx.oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope([...requestParamScopes].join(' '));
  await grant.save();
  return grant;
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kty: 'RSA', use: 'sig', alg: 'RS256', kid: randomBytes(8).toString('hex') };
}
