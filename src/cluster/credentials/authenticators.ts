import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { promisify } from 'node:util';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { field, isObject } from '../objects/raw-object.ts';

/**
 * What KubeConfig lacks for users whose credentials change, in the form in which it can be extended
 * (docs/adr/0018-two-authenticators-of-our-own.md says what it lacks).
 */
export type Authenticator = Parameters<KubeConfig['addAuthenticator']>[0];

/** The names of auth providers that {@link selectAuthenticator} gives to users. */
const TOKEN_FILE = 'token file read each time';
const EXEC_PLUGIN = 'bounded exec plugin';

/**
 * The user as one of these authenticators accepts it, where its kubeconfig names a token file or a program. As with
 * kubectl, a token file comes before a token, and that before a program.
 * @param resolve makes a path absolute that is relative to the kubeconfig
 */
export function selectAuthenticator(
  { token, ...user }: User,
  tokenFile: string | undefined,
  resolve: (file: string) => string,
): User {
  if (tokenFile !== undefined) {
    const config = { file: resolve(tokenFile), inline: token };
    return { ...user, exec: undefined, authProvider: { name: TOKEN_FILE, config } };
  }
  if (token !== undefined && token !== '') return { ...user, token, exec: undefined };
  const exec: unknown = user.exec;
  const command = textOf(field(exec, 'command'));
  if (!isObject(exec) || command === undefined) return user;
  // A name without a path is looked for in PATH.
  const config = { ...exec, command: command.includes('/') ? resolve(command) : command };
  return { ...user, exec: undefined, authProvider: { name: EXEC_PLUGIN, config } };
}

/**
 * A token in a file, which is read each time. While the file cannot be read, the last token counts, or the one beside it in the
 * kubeconfig, as with kubectl.
 */
export function createTokenFileAuthenticator(): Authenticator {
  let last: string | undefined;
  return {
    isAuthProvider: (user) => field(user.authProvider, 'name') === TOKEN_FILE,
    async applyAuthentication(user, options: RequestOptions) {
      const { file, inline } = configOf(user) as { file: string; inline: string | undefined };
      try {
        // A token file may end in a newline, which no header may hold.
        last = (await readFile(file, 'utf8')).trim();
      } catch (error) {
        last ??= textOf(inline);
        if (last === undefined) throw error;
      }
      setToken(options, last);
    },
  };
}

/** Runs a program that prints credentials, as client.authentication.k8s.io/v1 has it. */
export interface ExecPluginAuthenticator extends Authenticator {
  /** The cluster has refused the last credential. */
  forget(): void;
}

export interface ExecPluginOptions {
  readonly cluster: Cluster;
  /** What the program inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The wall clock in milliseconds. */
  readonly wallNow: () => number;
}

const API_VERSIONS: readonly unknown[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];
const LIMITS = { timeout: 30_000, maxBuffer: 1_048_576, killSignal: 'SIGKILL' } as const;
/** A credential that ends while a request is on its way is refused. */
const EARLY_MS = 10_000;
/** No program needs these, and what it does with its environment is its own affair. */
const OWN_SECRETS: readonly string[] = ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'OIDC_CLIENT_SECRET'];

interface ExecCredential {
  readonly token: string | undefined;
  /** A client certificate and its key, as PEM. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly expiresAt: number;
}

/**
 * Runs the program when there is no credential yet, when the last one has expired, and when the cluster refused it
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 */
export function createExecPluginAuthenticator(options: ExecPluginOptions): ExecPluginAuthenticator {
  let last: ExecCredential | undefined;
  return {
    isAuthProvider: (user) => field(user.authProvider, 'name') === EXEC_PLUGIN,
    async applyAuthentication(user, request: RequestOptions) {
      if (last === undefined || options.wallNow() >= last.expiresAt - EARLY_MS) {
        last = await run(configOf(user), options);
      }
      const { token, cert, key } = last;
      if (token !== undefined) setToken(request, token);
      if (cert !== undefined && key !== undefined) Object.assign(request, { cert, key });
    },
    forget: () => {
      last = undefined;
    },
  };
}

async function run(exec: unknown, { cluster, environment }: ExecPluginOptions): Promise<ExecCredential> {
  const apiVersion = field(exec, 'apiVersion');
  if (!API_VERSIONS.includes(apiVersion)) throw new Error('the version of the plugin is not supported');
  if (field(exec, 'interactiveMode') === 'Always') throw new Error('the plugin needs a terminal');
  const spec = {
    interactive: false,
    cluster: field(exec, 'provideClusterInfo') === true ? infoOf(cluster) : undefined,
  };
  const env = {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN_SECRETS.includes(name))),
    ...Object.fromEntries(
      listOf(field(exec, 'env')).map((one) => [
        String(field(one, 'name')),
        textOf(field(one, 'value')) ?? '',
      ]),
    ),
    KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec }),
  };
  const args = listOf(field(exec, 'args')).filter((one) => typeof one === 'string');
  try {
    const running = promisify(execFile)(String(field(exec, 'command')), args, { env, ...LIMITS });
    running.child.stdin?.end();
    return parseCredential(JSON.parse((await running).stdout), apiVersion);
  } catch {
    // The errors quote the command, and what it printed.
    throw new Error('the plugin printed no usable credential');
  }
}

function infoOf({ server, tlsServerName, skipTLSVerify, caData, proxyUrl }: Cluster): object {
  return {
    server,
    'tls-server-name': tlsServerName,
    'insecure-skip-tls-verify': skipTLSVerify || undefined,
    'certificate-authority-data': caData,
    'proxy-url': proxyUrl,
  };
}

/** @throws for a credential of another version, and for half a certificate */
function parseCredential(printed: unknown, apiVersion: unknown): ExecCredential {
  const status = field(printed, 'status');
  const token = textOf(field(status, 'token'));
  const cert = textOf(field(status, 'clientCertificateData'));
  const key = textOf(field(status, 'clientKeyData'));
  const expiration = textOf(field(status, 'expirationTimestamp'));
  const expiresAt = expiration === undefined ? Infinity : Date.parse(expiration);
  const isCredential =
    field(printed, 'kind') === 'ExecCredential' && field(printed, 'apiVersion') === apiVersion;
  const isUsable = token !== undefined || (cert !== undefined && key !== undefined);
  if (!isCredential || !isUsable || Number.isNaN(expiresAt)) throw new Error('no credential');
  return { token, cert, key, expiresAt };
}

function setToken(options: RequestOptions, token: string): void {
  options.headers = { ...(options.headers as OutgoingHttpHeaders), Authorization: `Bearer ${token}` };
}

function configOf({ authProvider }: User): unknown {
  return field(authProvider, 'config');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
