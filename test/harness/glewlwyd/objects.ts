import type { Administration } from './admin.ts';
import type { SigningKey } from './signing-keys.ts';

/** An OpenID provider within Glewlwyd; it can have many, each with an issuer of its own. */
export interface ProviderOptions {
  readonly name: string;
  /** The first one signs. */
  readonly keys: readonly SigningKey[];
  /** The property of users that the claim `groups` is made from; `groups`, a list, unless it is named. */
  readonly groupsProperty?: 'groups' | 'group';
  /** Announces an `end_session_endpoint`. */
  readonly endsSessions?: true;
}

export interface ClientOptions {
  readonly id: string;
  readonly redirectUri: string;
  /** Without it the client is public. */
  readonly secret?: string;
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
}

export interface UserOptions {
  readonly username: string;
  readonly password: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
  /** One text, where `groups` is a list. */
  readonly group?: string;
}

/** Scopes that the service requests; every user and client may have them. */
const SCOPES = ['openid', 'profile', 'email', 'groups'];

const SESSION_MANAGEMENT = {
  'session-management-allowed': true,
  'session-cookie-name': 'GLEWLWYD2_OIDC_SID',
  'session-cookie-expiration': 2_419_200,
};

/** Properties of users that are groups, few rounds of password hashing, and the scopes. */
export async function prepare(admin: Administration): Promise<void> {
  const users = (await admin.request('GET', '/mod/user/database')) as {
    readonly parameters: { readonly 'data-format': object };
  };
  const property = (multiple: boolean) => ({ multiple, read: true, write: true });
  await admin.request('PUT', '/mod/user/database', {
    ...users,
    parameters: {
      ...users.parameters,
      'pbkdf2-iterations': 1_000,
      'data-format': {
        ...users.parameters['data-format'],
        groups: property(true),
        group: property(false),
      },
    },
  });
  await admin.request('PUT', '/mod/user/database/reset');
  for (const name of SCOPES.filter((scope) => scope !== 'openid')) {
    await admin.request('POST', '/scope/', { name, display_name: name, password_required: true, scheme: {} });
  }
}

export function providerParameters(options: ProviderOptions, iss: string) {
  const { keys, groupsProperty = 'groups', endsSessions = false } = options;
  return {
    iss,
    'jwks-private': JSON.stringify({ keys }),
    'jwks-show': true,
    ...(endsSessions ? SESSION_MANAGEMENT : {}),
    'auth-type-code-enabled': true,
    'access-token-duration': 3_600,
    'refresh-token-duration': 3_600,
    'code-duration': 60,
    'pkce-allowed': true,
    'subject-type': 'public',
    'allowed-scope': SCOPES,
    'name-claim': 'mandatory',
    'email-claim': 'mandatory',
    claims: [{ name: 'groups', 'user-property': groupsProperty, type: 'string', mandatory: true }],
  };
}

export async function addUser(admin: Administration, user: UserOptions): Promise<void> {
  await admin.request('POST', '/user/', { scope: [...SCOPES, 'g_profile'], enabled: true, ...user });
}

export async function addClient(admin: Administration, client: ClientOptions): Promise<void> {
  const { id, redirectUri, secret, authMethod } = client;
  await admin.request('POST', '/client/', {
    client_id: id,
    name: id,
    enabled: true,
    redirect_uri: [redirectUri],
    authorization_type: ['code'],
    scope: [],
    confidential: secret !== undefined,
    ...(secret === undefined
      ? { token_endpoint_auth_method: ['none'] }
      : { client_secret: secret, token_endpoint_auth_method: [authMethod ?? 'client_secret_basic'] }),
  });
}
