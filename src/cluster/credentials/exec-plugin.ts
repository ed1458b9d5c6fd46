import { execFile } from 'node:child_process';
import type { Cluster, User } from '@kubernetes/client-node';
import { field } from '../stores/raw-object.ts';
import type { CredentialSource, UserCredential } from './credential-source.ts';

/** A program of the kubeconfig that prints credentials, as client.authentication.k8s.io/v1 has it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly provideClusterInfo: boolean;
  /** It needs someone at a terminal. */
  readonly isInteractive: boolean;
}

export interface ExecPluginOptions {
  readonly plugin: ExecPlugin;
  readonly cluster: Cluster;
  /** What the program inherits. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The wall clock in milliseconds. */
  readonly wallNow: () => number;
}

const API_VERSIONS: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
];
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1_048_576;
/** A credential that ends while a request is on its way is refused. */
const EARLY_MS = 10_000;
/** No program needs these, and what it does with its environment is its own affair. */
const OWN_SECRETS: readonly string[] = ['SESSION_SECRET', 'SESSION_SECRET_PREVIOUS', 'OIDC_CLIENT_SECRET'];

/** The plugin of a kubeconfig's user; undefined when the user has none. */
export function execPluginOf({ exec }: Pick<User, 'exec'>): ExecPlugin | undefined {
  const command = field(exec, 'command');
  if (typeof command !== 'string' || command === '') return undefined;
  return {
    command,
    apiVersion: textOf(field(exec, 'apiVersion')) ?? '',
    args: listOf(field(exec, 'args')).filter((one) => typeof one === 'string'),
    env: Object.fromEntries(
      listOf(field(exec, 'env')).map((one) => [
        textOf(field(one, 'name')) ?? '',
        textOf(field(one, 'value')) ?? '',
      ]),
    ),
    provideClusterInfo: field(exec, 'provideClusterInfo') === true,
    isInteractive: field(exec, 'interactiveMode') === 'Always',
  };
}

/**
 * Runs the plugin when there is no credential yet, when the last one has expired, and when the cluster refused it
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 */
export function createExecPluginSource(options: ExecPluginOptions): CredentialSource {
  let kept: (UserCredential & { readonly expiresAt: number }) | undefined;
  return {
    current: async () => {
      if (kept === undefined || options.wallNow() >= kept.expiresAt - EARLY_MS) kept = await run(options);
      return kept;
    },
    refused: () => {
      kept = undefined;
    },
  };
}

async function run({ plugin, cluster, environment }: ExecPluginOptions) {
  const { apiVersion, command, args, env, isInteractive } = plugin;
  if (!API_VERSIONS.includes(apiVersion)) throw new Error('the version of the plugin is not supported');
  if (isInteractive) throw new Error('the plugin needs a terminal');
  const inherited = Object.entries(environment).filter(([name]) => !OWN_SECRETS.includes(name));
  const info = JSON.stringify(execInfo(plugin, cluster));
  const output = await outputOf(command, args, {
    ...Object.fromEntries(inherited),
    ...env,
    KUBERNETES_EXEC_INFO: info,
  });
  return readCredential(parseOutput(output), apiVersion);
}

function execInfo({ apiVersion, provideClusterInfo }: ExecPlugin, cluster: Cluster): object {
  const { server, tlsServerName, skipTLSVerify, caData, proxyUrl } = cluster;
  return {
    apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(provideClusterInfo && {
        cluster: {
          server,
          'tls-server-name': tlsServerName,
          'insecure-skip-tls-verify': skipTLSVerify || undefined,
          'certificate-authority-data': caData,
          'proxy-url': proxyUrl,
        },
      }),
    },
  };
}

function outputOf(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: 'SIGKILL' } as const;
    const child = execFile(command, args, options, (error, output) => {
      // The error quotes the command and what it printed.
      if (error === null) resolve(output);
      else reject(new Error('the plugin failed'));
    });
    child.stdin?.end();
  });
}

/** The error of JSON.parse quotes the text, so it goes no further. */
function parseOutput(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw new Error('the plugin printed no JSON');
  }
}

function readCredential(output: unknown, apiVersion: string): UserCredential & { expiresAt: number } {
  const status = field(output, 'status');
  const token = textOf(field(status, 'token'));
  const cert = textOf(field(status, 'clientCertificateData'));
  const key = textOf(field(status, 'clientKeyData'));
  const isUsable = token !== undefined || (cert !== undefined && key !== undefined);
  if (field(output, 'kind') !== 'ExecCredential' || field(output, 'apiVersion') !== apiVersion || !isUsable) {
    throw new Error('the plugin printed no credential');
  }
  const expiration = textOf(field(status, 'expirationTimestamp'));
  const expiresAt = expiration === undefined ? Infinity : Date.parse(expiration);
  if (Number.isNaN(expiresAt)) throw new Error('the plugin printed no valid time');
  return { token, cert, key, expiresAt };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
