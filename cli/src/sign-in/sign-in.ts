import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../environment.ts';
import { Failure } from '../failure.ts';
import { createCredentialStore, type Credentials } from '../service/credentials.ts';
import { ConnectionFailure, type HttpResponse, type Send } from '../service/http.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { canOpenBrowser, openBrowser } from './browser.ts';
import { listenForCode } from './loopback.ts';

export interface SignInOptions {
  readonly server: string;
  readonly send: Send;
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** Whether the code is pasted although a browser could be opened. */
  readonly pastes: boolean;
}

/** Signs someone in with the browser, by PKCE (RFC 7636), and keeps the token. @throws {Failure} */
export async function signIn(options: SignInOptions): Promise<Credentials> {
  const { server, environment, terminal } = options;
  const store = createCredentialStore(environment);
  store.prepare();
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const address = new URL('/cli', server);
  address.search = new URLSearchParams({ challenge, state }).toString();
  const isPasted = options.pastes || !canOpenBrowser(environment);
  const code = await (isPasted ? pastedCode(terminal, address) : codeByLoopback(options, address, state));
  const credentials = await redeem(options, code, verifier);
  store.write(server, credentials);
  return credentials;
}

async function pastedCode(terminal: Terminal, address: URL): Promise<string> {
  terminal.note(`Open this address in a browser, and paste the code that it shows:\n\n  ${address.href}\n`);
  return (await terminal.read('the code')).toString().trim();
}

async function codeByLoopback(
  { environment, terminal }: SignInOptions,
  address: URL,
  state: string,
): Promise<string> {
  const listener = await listenForCode(state);
  address.searchParams.set('port', String(listener.port));
  terminal.note(`The browser opens this address; if it does not, open it yourself:\n\n  ${address.href}\n`);
  openBrowser(address.href, environment);
  try {
    return await listener.code;
  } finally {
    await listener.close();
  }
}

async function redeem({ server, send }: SignInOptions, code: string, verifier: string): Promise<Credentials> {
  if (!/^[A-Za-z0-9_.-]{1,12288}$/.test(code)) throw new Failure('error', 'that is no code');
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier };
  const token = await sent(send, server, {
    method: 'POST',
    url: `${server}/api/auth/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const { access_token: accessToken, expires_in: expiresIn, error } = jsonOf(token);
  if (error === 'invalid_grant')
    throw new Failure('signedOut', 'the code is not accepted: it counts for a minute only');
  if (typeof accessToken !== 'string' || typeof expiresIn !== 'number') throw notAnswered(server, token);
  const expiresMs = Date.now() + expiresIn * 1_000;
  const headers = { authorization: `Bearer ${accessToken}` };
  const me = await sent(send, server, { method: 'GET', url: `${server}/api/auth/me`, headers });
  const { user } = jsonOf(me) as { readonly user?: { readonly email?: unknown } | null };
  if (typeof user?.email !== 'string') throw notAnswered(server, me);
  return { token: accessToken, email: user.email, expiresMs };
}

async function sent(send: Send, server: string, request: Parameters<Send>[0]): Promise<HttpResponse> {
  try {
    return await send(request);
  } catch (error) {
    if (error instanceof ConnectionFailure) throw new Failure('error', `${server}: ${error.message}`);
    throw error;
  }
}

const notAnswered = (server: string, { status, body }: HttpResponse) => {
  const { error } = jsonOf({ body });
  return new Failure(
    'error',
    typeof error === 'string'
      ? error
      : `${server} answered with status ${status}, but not as this service does`,
  );
};

function jsonOf({ body }: Pick<HttpResponse, 'body'>): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return typeof content === 'object' && content !== null ? { ...content } : {};
  } catch {
    return {};
  }
}
