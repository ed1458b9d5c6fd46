import { readFileSync } from 'node:fs';
import { variable, type Environment } from '../environment.ts';
import { Failure, usage } from '../failure.ts';
import type { CredentialStore } from './credentials.ts';
import type { Send } from './http.ts';

/** The token of each request: those of platforms are short-lived, and are read or fetched again. */
export type TokenSource = () => Promise<string>;

export interface TokenOptions {
  readonly environment: Environment;
  readonly server: string;
  readonly tokenFile: string | undefined;
  readonly credentials: CredentialStore;
  readonly send: Send;
  readonly now: () => number;
}

/** Where a pod has the token that is projected for this command. */
const POD_TOKEN = '/var/run/secrets/secretsctl/token';
/** Of a token that is fetched: what is left of its life when it is fetched again. */
const MARGIN_MS = 30_000;

/**
 * In this order: the file that was named, the person who signed in, then what GitHub, GitLab or the cluster gives a job
 * or pod. @throws {Failure} `signedOut` when there is none
 */
export function tokenSource(options: TokenOptions): TokenSource {
  const { environment, server, credentials, now } = options;
  const file = options.tokenFile ?? variable(environment, 'SECRETSCTL_TOKEN_FILE');
  if (file !== undefined) return () => Promise.resolve(tokenIn(file));
  const person = credentials.read(server);
  if (person !== undefined && person.expiresMs > now()) return () => Promise.resolve(person.token);
  if (variable(environment, 'ACTIONS_ID_TOKEN_REQUEST_URL') !== undefined) return githubTokens(options);
  const gitlab = variable(environment, 'SECRETSCTL_ID_TOKEN');
  if (gitlab !== undefined) return () => Promise.resolve(gitlab);
  if (isThere(POD_TOKEN)) return () => Promise.resolve(tokenIn(POD_TOKEN));
  const message = person === undefined ? `you are not signed in at ${server}` : 'your session has ended';
  throw new Failure('signedOut', message, `Run: secretsctl login --server ${server}`);
}

function isThere(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

function tokenIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch {
    throw new Failure('signedOut', `the token file ${file} cannot be read`);
  }
  // What is no token is not sent anywhere.
  if (!/^[!-~]{1,8192}$/.test(text)) throw new Failure('signedOut', `${file} has no token`);
  return text;
}

/** A job of GitHub Actions with `permissions: { id-token: write }` fetches its own, and again before it expires. */
function githubTokens(options: TokenOptions): TokenSource {
  let token: Promise<string> | undefined;
  let untilMs = 0;
  return () => {
    if (token !== undefined && untilMs > options.now()) return token;
    // Requests that come meanwhile wait for the same one.
    untilMs = Infinity;
    token = githubToken(options).then(
      (fetched) => {
        untilMs = expiryOf(fetched) - MARGIN_MS;
        return fetched;
      },
      (error: unknown) => {
        untilMs = 0;
        throw error;
      },
    );
    return token;
  };
}

async function githubToken({ environment, server, send }: TokenOptions): Promise<string> {
  const url = URL.parse(environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '');
  if (url === null) throw usage('ACTIONS_ID_TOKEN_REQUEST_URL is no URL');
  url.searchParams.set('audience', variable(environment, 'SECRETSCTL_AUDIENCE') ?? server);
  const authorization = `bearer ${environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''}`;
  const token = await send({ method: 'GET', url: url.href, headers: { authorization } }).then(
    ({ status, body }) => (status === 200 ? valueOf(body) : undefined),
    () => undefined,
  );
  if (token === undefined) throw new Failure('signedOut', 'GitHub gave no token for this job');
  return token;
}

function valueOf(body: Buffer): string | undefined {
  try {
    const { value } = JSON.parse(body.toString('utf8')) as { readonly value?: unknown };
    return typeof value === 'string' && /^[!-~]{1,8192}$/.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Milliseconds; the past for what cannot be read, so that it is fetched each time. */
function expiryOf(token: string): number {
  try {
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    return Number((JSON.parse(claims) as { readonly exp?: unknown }).exp) * 1_000 || 0;
  } catch {
    return 0;
  }
}
