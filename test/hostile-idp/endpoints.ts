import { createHash, randomBytes } from 'node:crypto';
import { hmac, signedBy, spellJwt, type SigningKeys } from './forge-jwt.ts';
import type { ScriptedResponse, Forgery, HostileCase } from './hostile-case.ts';
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
  /** Requests so far, by endpoint. */
  readonly counts: Map<string, number>;
}

/** What to send: the answer of the corpus, with its body worked out. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
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

/** Sends the browser straight back: no one has to sign in here. */
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
  const count = (stage.counts.get('userinfo') ?? 0) + 1;
  stage.counts.set('userinfo', count);
  const given = stage.hostile.userinfo;
  const userinfo = count > (given?.times ?? Infinity) ? undefined : given;
  if (userinfo?.jwt === undefined) return reply(userinfo, claims, placeholdersOf(stage));
  const body = jwt(
    stage,
    patched(claims, userinfo, placeholdersOf(stage)),
    userinfo.jwt,
    placeholdersOf(stage),
  );
  return { status: 200, contentType: userinfo.contentType ?? 'application/jwt', body };
}

export function jwks(stage: Stage): Reply {
  const { jwks: answer } = stage.hostile;
  const placeholders = placeholdersOf(stage);
  const keys = (answer?.publish ?? [{ key: 'own' as const }]).map((published) =>
    patched(stage.keys[published.key].publicJwk, published, placeholders),
  );
  return reply(answer, { keys }, placeholders);
}

function idToken(stage: Stage, placeholders: Placeholders): string {
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
    planted: `${stage.canary}-claim`,
  };
  return jwt(stage, right, stage.hostile.idToken ?? {}, placeholders);
}

function jwt(
  { keys, canary }: Stage,
  right: Readonly<Record<string, unknown>>,
  forgery: Forgery,
  placeholders: Placeholders,
): string {
  const { sign: kind = 'own' } = forgery;
  const claims = withText(patched(right, forgery.claims, placeholders), forgery.appendToClaims);
  const head = (alg: string, kid = 'own'): string =>
    withText(patched({ alg, typ: 'JWT', kid }, forgery.header, placeholders), forgery.appendToHeader);
  switch (kind) {
    case 'own':
    case 'foreign':
    case 'next':
    case 'ec': {
      const key = keys[kind];
      return spellJwt(head(key.algorithm, String(key.publicJwk['kid'])), claims, signedBy(key));
    }
    case 'none':
      return spellJwt(head('none'), claims, () => Buffer.alloc(0));
    case 'publicKeyAsSecret':
      return spellJwt(head('HS256'), claims, hmac('sha256', keys.own.publicPem));
    case 'secret':
      return spellJwt(head('HS256'), claims, hmac('sha256', CLIENT_SECRET));
    case 'tampered': {
      const [before, , signature] = spellJwt(head('RS256'), claims, signedBy(keys.own)).split('.');
      const other = Buffer.from(JSON.stringify({ ...right, email: 'admin@example.com' })).toString(
        'base64url',
      );
      return `${before ?? ''}.${other}.${signature ?? ''}`;
    }
    case 'garbage':
      return `${canary}.not.a-token`;
  }
}

function withText(value: Readonly<Record<string, unknown>>, text = ''): string {
  return `${JSON.stringify(value).slice(0, -1)}${text}}`;
}

function placeholdersOf({ issuer, origin, canary }: Stage, nonce = ''): Placeholders {
  // The same address to a URL parser, and another issuer to the letter.
  const shouted_issuer = issuer.replace('http://localhost', 'HTTP://LOCALHOST');
  return { issuer, shouted_issuer, origin, canary, nonce, client_id: 'hostile-client' };
}

function reply(
  answer: ScriptedResponse | undefined,
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
    ...(answer?.headers === undefined ? {} : { headers: answer.headers }),
  };
}

function json(status: number, value: unknown): Reply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}
