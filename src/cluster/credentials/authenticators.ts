import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Cluster, User } from '@kubernetes/client-node';
import { field } from '../objects/raw-object.ts';

/** A token, or a client certificate and its key as PEM, or both. */
export interface Credential {
  readonly token?: string | undefined;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * What KubeConfig lacks for users whose credentials change
 * (docs/adr/0018-two-authenticators-of-our-own.md says what it lacks).
 */
export interface Authenticator {
  readonly current: () => Promise<Credential>;
  /** The cluster has refused the last credential. */
  readonly forget?: () => void;
}

export interface ExecPluginOptions {
  readonly cluster: Cluster;
  /** What the program inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The wall clock in milliseconds. */
  readonly wallNow: () => number;
}

/**
 * The authenticator of a user whose kubeconfig names a token file or a program. As with kubectl, a token file comes before
 * a token, and that before a program.
 */
export function authenticatorOf(user: User | null, options: ExecPluginOptions): Authenticator | undefined {
  const file = tokenFileOf(user?.authProvider);
  const token = textOf(user?.token);
  if (file !== undefined) return tokenFileAuthenticator(file, token);
  const exec: unknown = user?.exec;
  return token !== undefined || exec === undefined ? undefined : execPluginAuthenticator(exec, options);
}

/** The token file, in the form in which the library gives that of a pod. */
export function tokenFileOf(authProvider: unknown): string | undefined {
  return textOf(field(field(authProvider, 'config'), 'tokenFile'));
}

/**
 * A token in a file, which is read each time. While the file cannot be read, the last token counts, or the one beside it in the
 * kubeconfig, as with kubectl.
 */
function tokenFileAuthenticator(file: string, inline: string | undefined): Authenticator {
  let last = inline;
  return {
    current: async () => {
      try {
        // A token file may end in a newline, which no header may hold.
        last = (await readFile(file, 'utf8')).trim();
      } catch (error) {
        if (last === undefined) throw error;
      }
      return { token: last };
    },
  };
}

const API_VERSIONS: readonly unknown[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];
const LIMITS = { timeout: 30_000, maxBuffer: 1_048_576, killSignal: 'SIGKILL' } as const;
/** A credential that ends while a request is on its way is refused. */
const EARLY_MS = 10_000;
/** They are or hold keys and tokens. No program needs them, and what it does with its environment is its own affair. */
const OWN_SECRETS: readonly string[] = [
  'SESSION_SECRET',
  'SESSION_SECRET_PREVIOUS',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/**
 * Runs a program that prints credentials, when there is no credential yet, when the last one has expired, and when the cluster
 * refused it (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 */
function execPluginAuthenticator(exec: unknown, options: ExecPluginOptions): Authenticator {
  let last: Awaited<ReturnType<typeof run>> | undefined;
  return {
    current: async () => {
      if (last === undefined || options.wallNow() >= last.expiresAt - EARLY_MS) {
        last = await run(exec, options);
      }
      return last;
    },
    forget: () => {
      last = undefined;
    },
  };
}

async function run(exec: unknown, { cluster, environment }: ExecPluginOptions) {
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
function parseCredential(printed: unknown, apiVersion: unknown) {
  const status = field(printed, 'status');
  const token = textOf(field(status, 'token'));
  const cert = textOf(field(status, 'clientCertificateData'));
  const key = textOf(field(status, 'clientKeyData'));
  const expiration = textOf(field(status, 'expirationTimestamp'));
  const expiresAt = expiration === undefined ? Infinity : Date.parse(expiration);
  const isCredential =
    field(printed, 'kind') === 'ExecCredential' && field(printed, 'apiVersion') === apiVersion;
  const pair = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const isUsable = token !== undefined || pair !== undefined;
  if (!isCredential || !isUsable || Number.isNaN(expiresAt)) throw new Error('no credential');
  return { token, ...pair, expiresAt };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
