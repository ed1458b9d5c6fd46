import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from '../fakes/certificate.ts';
import { createSigningKeys, signedBy, spellJwt, type SigningKey, type SigningKeys } from './forge-jwt.ts';

/** How a token is made; without more, by the book. */
export interface TokenForgery {
  /** Members to set; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** The claims as text, instead of all of them. */
  readonly claimsText?: (claims: string) => string;
  readonly headerText?: (header: string) => string;
  readonly sign?: (input: string, keys: SigningKeys) => Buffer;
}

/** How the issuer answers; without more, by the book. */
export interface IssuerBehaviour {
  readonly discovery?: unknown;
  readonly jwks?: unknown;
  /** Instead of an answer. */
  readonly respond?: (response: ServerResponse) => void;
}

/** What makes the tokens of an issuer. */
export interface TokenMaker {
  readonly issuer: string;
  readonly keys: SigningKeys;
  token(forgery?: TokenForgery): string;
}

/** An issuer of tokens of machines, with a key set that can be changed. */
export interface TokenIssuer extends TokenMaker {
  /** From now on. */
  behave(behaviour: IssuerBehaviour): void;
  /** How often the keys were fetched. */
  fetches(): number;
  /** How many requests there were, of the keys or not. */
  requests(): number;
  close(): Promise<void>;
}

export const AUDIENCE = 'secrets-management';

export function createTokenMaker(issuer: string, keys = createSigningKeys()): TokenMaker {
  return { issuer, keys, token: (forgery = {}) => forgedToken(issuer, keys, forgery) };
}

/** What an issuer publishes. */
export const publishedKeys = ({ own, ec }: SigningKeys): object => ({
  keys: [own.publicJwk, ec.publicJwk],
});

/** @param certificate of `localhost`, for an issuer over https */
export async function startTokenIssuer(certificate?: TestCertificate): Promise<TokenIssuer> {
  const keys = createSigningKeys();
  let behaviour: IssuerBehaviour = {};
  let fetches = 0;
  let requests = 0;
  const listener: RequestListener = (request, response) => {
    requests++;
    const isKeys = request.url === '/jwks';
    if (isKeys) fetches++;
    if (behaviour.respond !== undefined) {
      behaviour.respond(response);
      return;
    }
    const answer = isKeys
      ? (behaviour.jwks ?? publishedKeys(keys))
      : (behaviour.discovery ?? { issuer, jwks_uri: `${issuer}/jwks` });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `${certificate === undefined ? 'http' : 'https'}://localhost:${(server.address() as AddressInfo).port}`;
  return {
    ...createTokenMaker(issuer, keys),
    behave: (now) => {
      behaviour = now;
    },
    fetches: () => fetches,
    requests: () => requests,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The token of a job of a project 7. */
function forgedToken(issuer: string, keys: SigningKeys, forgery: TokenForgery): string {
  const asItIs = (text: string): string => text;
  const { claimsText = asItIs, headerText = asItIs } = forgery;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 'project_path:team/app:ref_type:branch:ref:main',
    iat: now,
    exp: now + 300,
    jti: 'run-1-of-job',
    project_id: '7',
    ref: 'main',
    ...forgery.claims,
  };
  const header = { alg: 'RS256', typ: 'JWT', kid: 'own', ...forgery.header };
  return spellJwt(
    headerText(JSON.stringify(header)),
    claimsText(JSON.stringify(claims)),
    (input) => forgery.sign?.(input, keys) ?? signedBy(keys.own)(input),
  );
}

export function signWith(name: keyof SigningKeys): (input: string, keys: SigningKeys) => Buffer {
  return (input, keys) => signedBy(keys[name] satisfies SigningKey)(input);
}
