import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { isLoopback, withoutTrailingSlashes } from '../../config/addresses.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { systemClock, type Clock } from '../../timing/clock.ts';
import { authenticatorOf, tokenFileOf, type Authenticator } from './authenticators.ts';
import { findKubeconfig, notConfigured, parseKubeconfig, type KubeconfigPlaces } from './kubeconfig.ts';
import { proxyFromEnvironment, type ProxyEnvironment } from './proxy.ts';

/** The TLS settings of a connection to the cluster. */
export type TlsMaterial = Readonly<
  Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase' | 'rejectUnauthorized' | 'servername'>
>;

/** The TLS settings and headers of a request right now. */
export interface ClusterAccess {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsMaterial;
}

/** The address of the cluster, and the service's credentials. */
export type Credentials = ReturnType<typeof credentialsOf>;

/** Where the credentials belong in the cluster. */
export type ClusterHome = Credentials['home'];

const KEEP_MS = 10_000;
/** The library's name for the context of a pod. */
const IN_CLUSTER_CONTEXT = 'inClusterContext';

/**
 * Loads the cluster's address and credentials from where kubectl reads them, or from the pod.
 * @throws {ServiceError} `notConfigured` with a message for the operator
 */
export function loadCredentials(places: KubeconfigPlaces): Credentials {
  return credentialsOf(findKubeconfig(places), places.environment);
}

/** Credentials from the text of a kubeconfig. */
export function parseCredentials(kubeconfig: string): Credentials {
  return credentialsOf(parseKubeconfig(kubeconfig));
}

/**
 * Credentials from a loaded kubeconfig.
 * @param environment for proxies, and for the program that makes credentials
 */
export function credentialsOf(
  config: KubeConfig,
  environment: ProxyEnvironment = {},
  { now, wallNow }: Pick<Clock, 'now' | 'wallNow'> = systemClock,
) {
  const { cluster, server, proxyUrl } = clusterOf(config, environment);
  const authenticator = authenticatorOf(config.getCurrentUser(), { cluster, environment, wallNow });
  makeUsable(config, server);
  let kept: { readonly access: Promise<ClusterAccess>; readonly until: number } | undefined;
  let latest: ClusterAccess | undefined;
  const load = async (): Promise<ClusterAccess> => {
    latest = await currentAccess(config, server, authenticator);
    return latest;
  };
  return {
    /** Base URL of the cluster API, without a trailing slash; it may hold a path. */
    server: withoutTrailingSlashes(server.href),
    /** An HTTP proxy to go through. */
    proxyUrl,
    home: {
      /** The namespace of the kubeconfig's context, or of the pod; undefined when neither names one. */
      namespace: namespaceOf(config),
      /** Whether the service runs in a pod and uses the pod's own account. */
      inCluster: config.getCurrentContext() === IN_CLUSTER_CONTEXT,
    },
    /**
     * Tokens and certificates rotate, so call this before every request. The result is kept for ten seconds.
     * @throws {ServiceError} `unavailable` when the credentials cannot be loaded
     */
    access: (): Promise<ClusterAccess> => {
      if (kept !== undefined && now() < kept.until) return kept.access;
      const entry = { access: load(), until: now() + KEEP_MS };
      kept = entry;
      entry.access.catch(() => {
        if (kept === entry) kept = undefined;
      });
      return entry.access;
    },
    /** The cluster refused these credentials: load them again. */
    forget: (refused: ClusterAccess): void => {
      // Many requests are refused together; only the first of them has the credentials made again.
      if (refused !== latest) return;
      latest = undefined;
      kept = undefined;
      authenticator?.forget?.();
    },
  };
}

/** The library reads a pod's namespace from a file, which may end in a newline. */
function namespaceOf(config: KubeConfig): string | undefined {
  const namespace = config.getContextObject(config.getCurrentContext())?.namespace?.trim() ?? '';
  return namespace === '' ? undefined : namespace;
}

function clusterOf(config: KubeConfig, environment: ProxyEnvironment) {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw notConfigured('The kubeconfig selects no cluster', 'contextMissing');
  if (!URL.canParse(cluster.server))
    throw notConfigured("The cluster's address is not a URL", 'serverMalformed');
  const server = new URL(cluster.server);
  if (server.protocol !== 'https:' && server.protocol !== 'http:') {
    throw notConfigured("The cluster's address is neither http nor https", 'serverMalformed');
  }
  const own = cluster.proxyUrl ?? '';
  const proxyUrl = own === '' ? proxyFromEnvironment(server, environment) : own;
  if (proxyUrl !== undefined && !(/^https?:\/\//.test(proxyUrl) && URL.canParse(proxyUrl))) {
    throw notConfigured('Only http proxies to the cluster are supported', 'proxyUnsupported');
  }
  return { cluster, server, proxyUrl };
}

/**
 * The library refuses plain http unless TLS verification is off, which has no effect on http. It also omits the
 * cluster's CA if the context names no user, and would make itself what the authenticators make.
 */
function makeUsable(config: KubeConfig, server: URL): void {
  if (server.protocol === 'http:') {
    config.clusters = config.clusters.map((cluster) => ({ ...cluster, skipTLSVerify: true }));
  }
  const context = config.getContextObject(config.getCurrentContext());
  if (config.getCurrentUser() === null && context !== null) config.addUser({ name: context.user });
  config.users = config.users.map((user) => ({
    ...user,
    exec: undefined,
    authProvider: tokenFileOf(user.authProvider) === undefined ? (user.authProvider as unknown) : undefined,
  }));
}

async function currentAccess(
  config: KubeConfig,
  server: URL,
  authenticator: Authenticator | undefined,
): Promise<ClusterAccess> {
  const options: RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
    const { token, ...pair } = (await authenticator?.current()) ?? {};
    const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = { ...options, ...pair };
    const tls = { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername };
    return {
      headers: mayCarryCredentials(server) ? headersOf(options, token) : {},
      tls: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
    };
  } catch (cause) {
    throw new ServiceError('unavailable', 'The cluster is unavailable', {
      reason: 'clusterCredentialsUnavailable',
      cause,
    });
  }
}

function headersOf({ auth, headers }: RequestOptions, token: string | undefined): Record<string, string> {
  const basic =
    typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  const given = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value.trim()] as const] : [],
  );
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { ...basic, ...Object.fromEntries(given), ...bearer };
}

/** Like kubectl, the service sends no credentials over plain http, except to loopback, for development. */
function mayCarryCredentials(server: URL): boolean {
  return server.protocol === 'https:' || isLoopback(server);
}
