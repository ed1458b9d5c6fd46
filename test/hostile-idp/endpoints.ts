import { createHash, randomBytes } from 'node:crypto';
import { hmac, rs256, spellJwt, type SigningKeys } from './forge-jwt.ts';
import type { Answer, HostileCase } from './hostile-case.ts';
import { patched, resolveValue, type Placeholders } from './resolve-values.ts';

/** What the provider remembers of a login between its endpoints. */
export interface PendingLogin {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** One case as the provider plays it. */
export interface Stage {
  readonly hostile: HostileCase;
  readonly issuer: string;
  readonly origin: string;
  readonly keys: SigningKeys;
  readonly canary: string;
  readonly pending: Map<string, PendingLogin>;
}

/** What to send: the answer of the corpus, with its body worked out. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly location?: string;
}

export const CLIENT_SECRET = 'hostile-client-secret';

export function discoveryDocument(stage: Stage): Reply {
  const { issuer, hostile } = stage;
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'profile', 'email', 'groups'],
    claims_supported: ['sub', 'email', 'name', 'groups'],
  };
  return reply(hostile.discovery, document, placeholdersOf(stage));
}

/** Sends the browser straight back: nobody has to sign in here. */
export function authorize(stage: Stage, query: URLSearchParams): Reply {
  const code = `${stage.canary}-code-${randomBytes(6).toString('hex')}`;
  const redirectUri = query.get('redirect_uri') ?? '';
  stage.pending.set(code, {
    nonce: query.get('nonce') ?? '',
    challenge: query.get('code_challenge') ?? '',
    redirectUri,
  });
  const { authorize: change } = stage.hostile;
  const parameters = patched({ code, state: query.get('state') ?? '' }, change, placeholdersOf(stage));
  const back = new URLSearchParams(
    Object.entries(parameters).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const append = change?.append === undefined ? '' : `&${change.append}`;
  return {
    status: 302,
    contentType: 'text/plain',
    body: '',
    location: `${redirectUri}?${back.toString()}${append}`,
  };
}

/** Redeems a code once, and only with the right verifier and redirect URI. */
export function token(stage: Stage, form: URLSearchParams, authorization: string | undefined): Reply {
  if (!isClient(stage.hostile, form, authorization)) {
    return json(401, { error: 'invalid_client', error_description: `${stage.canary} no such client` });
  }
  const code = form.get('code') ?? '';
  const login = stage.pending.get(code);
  stage.pending.delete(code);
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (login?.challenge !== proof || login.redirectUri !== form.get('redirect_uri')) {
    return json(400, { error: 'invalid_grant', error_description: `${stage.canary} no such code` });
  }
  const placeholders = placeholdersOf(stage, login.nonce);
  const tokens = {
    access_token: `${stage.canary}-access-token`,
    token_type: 'Bearer',
    expires_in: 300,
    id_token: idToken(stage, placeholders),
  };
  return reply(stage.hostile.token, tokens, placeholders);
}

function isClient(
  { client }: HostileCase,
  form: URLSearchParams,
  authorization: string | undefined = '',
): boolean {
  if (client === undefined) return true;
  if (client.reads === 'body') return form.get('client_secret') === client.secret && authorization === '';
  const text = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('latin1');
  const [id, ...secret] = text.split(':').map((part) => (client.reads === 'raw' ? part : formDecoded(part)));
  return id === 'hostile-client' && secret.join(':') === client.secret;
}

/** One part as application/x-www-form-urlencoded has it. */
function formDecoded(part: string): string {
  return decodeURIComponent(part.replaceAll('+', ' '));
}

export function userInfo(stage: Stage): Reply {
  const claims = {
    sub: 'subject',
    email: 'user@example.com',
    name: 'From UserInfo',
    groups: ['from-userinfo'],
  };
  return reply(stage.hostile.userinfo, claims, placeholdersOf(stage));
}

export function jwks(stage: Stage): Reply {
  return reply(stage.hostile.jwks, { keys: [stage.keys.ownPublicJwk] }, placeholdersOf(stage));
}

function idToken(stage: Stage, placeholders: Placeholders): string {
  const { hostile, keys, canary } = stage;
  const now = Math.floor(Date.now() / 1_000);
  const right = {
    iss: placeholders['issuer'],
    aud: placeholders['client_id'],
    sub: 'subject',
    iat: now,
    exp: now + 300,
    nonce: placeholders['nonce'],
    email: 'user@example.com',
    name: 'From ID token',
    groups: ['from-id-token'],
    planted: `${canary}-claim`,
  };
  const claims = patched(right, hostile.idToken?.claims, placeholders);
  const kind = hostile.idToken?.sign ?? 'own';
  const alg =
    kind === 'none' ? 'none' : kind === 'publicKeyAsSecret' || kind === 'secret' ? 'HS256' : 'RS256';
  const header = patched({ alg, typ: 'JWT', kid: 'own' }, hostile.idToken?.header, placeholders);
  switch (kind) {
    case 'own':
      return spellJwt(header, claims, rs256(keys.own));
    case 'foreign':
      return spellJwt(header, claims, rs256(keys.foreign));
    case 'none':
      return spellJwt(header, claims, () => Buffer.alloc(0));
    case 'publicKeyAsSecret':
      return spellJwt(header, claims, hmac('sha256', keys.ownPublicPem));
    case 'secret':
      return spellJwt(header, claims, hmac('sha256', CLIENT_SECRET));
    case 'tampered': {
      const [head, , signature] = spellJwt(header, claims, rs256(keys.own)).split('.');
      const other = Buffer.from(JSON.stringify({ ...claims, email: 'admin@example.com' })).toString(
        'base64url',
      );
      return `${head ?? ''}.${other}.${signature ?? ''}`;
    }
    case 'garbage':
      return `${canary}.not.a-token`;
  }
}

function placeholdersOf({ issuer, origin, canary }: Stage, nonce = ''): Placeholders {
  // The same address to a URL parser, and another issuer to the letter.
  const shouted_issuer = issuer.replace('http://localhost', 'HTTP://LOCALHOST');
  return { issuer, shouted_issuer, origin, canary, nonce, client_id: 'hostile-client' };
}

function reply(
  answer: Answer | undefined,
  right: Readonly<Record<string, unknown>>,
  placeholders: Placeholders,
): Reply {
  const given = answer?.body === undefined ? undefined : String(resolveValue(answer.body, placeholders));
  const location =
    answer?.location === undefined ? undefined : String(resolveValue(answer.location, placeholders));
  return {
    status: answer?.status ?? 200,
    contentType: answer?.contentType ?? 'application/json',
    body: given ?? JSON.stringify(patched(right, answer, placeholders)),
    ...(location === undefined ? {} : { location }),
  };
}

function json(status: number, value: unknown): Reply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}
