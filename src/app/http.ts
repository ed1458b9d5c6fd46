import { createAuthorizer, type Authorizer } from '../access/authorizer.ts';
import type { NamespaceScope } from '../access/namespace-scope.ts';
import { createApp } from '../api/app.ts';
import type { Audit } from '../api/runner/audit.ts';
import { BodyBudget, createLimiter, createRequestSeats } from '../server/server.ts';
import { BUILT_PAGES, readWebPages } from '../api/routes/page-routes.ts';
import {
  createAuthentication,
  createMachines,
  createTerminalSignIn,
  type Authentication,
  type Machines,
  type TerminalSignIn,
} from '../auth/authentication.ts';
import type { IsRevoked } from '../auth/session/revocations.ts';
import { fetchTrusting, type Cluster } from '../cluster/cluster.ts';
import type { Caches } from './caches.ts';
import type { PrefixGuard } from '../history/reconciler/controller.ts';
import type { Settings } from '../config/settings.ts';
import { createConsumers } from '../workloads/consumers.ts';
import type { AnnotationCodec } from '../kube/annotation-codec.ts';
import { createHistory, type HistoryIndex } from '../history/history.ts';
import type { Logger } from '../observability/logger.ts';
import { countRefusals, type Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { cacheNotifyingStore } from '../caches/cache-notifying-store.ts';
import { createCompressor } from '../lists/list-body.ts';
import { createLists, type Lists } from '../lists/lists.ts';
import { createSeal, KEY_BYTES } from '../secrets/seal.ts';
import type { SecretStore } from '../secrets/ports.ts';
import { createSecretsService, type SecretsService } from '../secrets/secrets-service.ts';
import { systemClock } from '../timing/clock.ts';
import { hkdfSync, randomBytes } from 'node:crypto';
import { readSigningKey } from '../auth/session/sessions.ts';

/** The dependencies of the API. */
interface HttpAppOptions {
  readonly settings: Settings;
  readonly scope: NamespaceScope;
  readonly version: string;
  readonly cluster: Cluster;
  readonly codec: AnnotationCodec;
  readonly prefix: Pick<PrefixGuard, 'ifSettled'>;
  readonly caches: Caches | undefined;
  readonly historyIndex: HistoryIndex;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly isRevoked: IsRevoked | undefined;
}

/** Connects access, Secrets, consumers and sign-in with the API. */
export function createHttpApp(parts: HttpAppOptions) {
  const { settings, cluster, caches, audit, logger, metrics } = parts;
  const { http, auth, access, limits, production } = settings;
  const authorizer = createAuthorizer({
    policies: cluster.policies,
    namespaces: cluster.namespaces,
    namespaceCache: caches?.namespaceCache,
    policyCache: caches?.policyCache,
    scope: parts.scope,
  });
  const store = guardedStore(cluster.secrets, parts.prefix);
  const onRefused = countRefusals(metrics);
  const seats = createRequestSeats(onRefused);
  const bodies = new BodyBudget({ bytes: limits.bodyBytes, onRefused });
  metrics.onExpose(() => {
    const { working, waitingForClient, queued } = seats.figures();
    metrics.set('service_cluster_work', working, { state: 'working' });
    metrics.set('service_cluster_work', waitingForClient, { state: 'waiting_for_client' });
    metrics.set('service_cluster_work', queued, { state: 'queued' });
    metrics.set('service_request_body_bytes', bodies.heldBytes());
  });
  return createApp({
    authentication: authenticationOf(parts),
    admins: { users: access.adminUsers, groups: access.adminGroups },
    everyoneIsAdmin: auth.disabled,
    authorizer,
    secrets: secretsServiceOf(parts, authorizer, store),
    lists: listsOf(parts, authorizer, store),
    consumers: createConsumers({
      store: cluster.workloads,
      countRefusal: countRefusals(metrics),
      now: () => new Date(),
    }),
    audit,
    bodies,
    personLimiter: createLimiter(limits.requestsPerPerson),
    loginLimiter: createLimiter(limits.loginsPerAddress),
    machines: machinesOf(parts),
    terminal: terminalOf(parts),
    tokenLimiter: createLimiter(limits.loginsPerAddress),
    seats,
    logger,
    loggedRequests: settings.loggedRequests,
    metrics,
    config: publicConfigOf(settings, parts.version),
    webPages: readWebPages(BUILT_PAGES),
    publicUrl: http.publicUrl,
    production,
    trustProxy: http.trustProxy,
    tracing: parts.tracing,
  });
}

/** The store of Secrets, which is not used before the prefix has settled. */
export function guardedStore(store: SecretStore, { ifSettled }: Pick<PrefixGuard, 'ifSettled'>): SecretStore {
  return {
    read: (ref, deadline) => ifSettled(() => store.read(ref, deadline)),
    listPage: (namespace, page, deadline) => ifSettled(() => store.listPage(namespace, page, deadline)),
    listMetadata: (namespace, page, deadline) =>
      ifSettled(() => store.listMetadata(namespace, page, deadline)),
    create: (draft, deadline) => ifSettled(() => store.create(draft, deadline)),
    replace: (current, change, deadline) => ifSettled(() => store.replace(current, change, deadline)),
    patchMetadata: (ref, preconditions, change, deadline) =>
      ifSettled(() => store.patchMetadata(ref, preconditions, change, deadline)),
    delete: (ref, preconditions, deadline) => ifSettled(() => store.delete(ref, preconditions, deadline)),
  };
}

function authenticationOf({ settings, logger, metrics, isRevoked }: HttpAppOptions): Authentication {
  return createAuthentication({
    settings,
    logger,
    now: Date.now,
    isRevoked,
    countUserInfo: (outcome) => {
      metrics.inc('service_userinfo_reads_total', { outcome });
    },
  });
}

/** Undefined without trusted issuers, and without sign-in, where everyone is an administrator. */
function machinesOf({ settings, cluster, logger, metrics, isRevoked }: HttpAppOptions): Machines | undefined {
  const { auth } = settings;
  if (auth.disabled || auth.trustedIssuers.length === 0) return undefined;
  const { reviewToken } = cluster;
  return createMachines({ auth, fetchTrusting, reviewToken, isRevoked, logger, metrics });
}

function terminalOf({ settings, isRevoked }: HttpAppOptions): TerminalSignIn | undefined {
  const { auth, http } = settings;
  if (auth.disabled) return undefined;
  const { sessionSecret, previousSessionSecret: previousSecret } = auth;
  return createTerminalSignIn({
    sessionSecret,
    previousSecret,
    publicUrl: http.publicUrl,
    isRevoked,
    now: Date.now,
  });
}

function secretsServiceOf(
  { settings, codec, caches, historyIndex, metrics }: HttpAppOptions,
  authorizer: Authorizer,
  store: SecretStore,
): SecretsService {
  const { managedOnly, historyLimit, orphanTtlMs } = settings.secrets;
  return createSecretsService({
    store: caches === undefined ? store : cacheNotifyingStore(store, caches.listCache),
    // Without notes for the list cache, which has no snapshots.
    history: createHistory({ store, codec, limit: historyLimit, index: historyIndex }),
    authorizer,
    codec,
    countRefusal: countRefusals(metrics),
    managedOnly,
    orphanTtlMs,
    tokenSeal: createSeal(pageTokenKey(settings)),
    now: () => new Date(),
  });
}

function listsOf(
  { settings, codec, caches, metrics }: HttpAppOptions,
  authorizer: Authorizer,
  store: SecretStore,
): Lists {
  const lists = createLists({
    store,
    codec,
    authorizer,
    managedOnly: settings.secrets.managedOnly,
    listCache: caches?.listCache,
    compress: createCompressor(),
    tokenKey: pageTokenKey(settings),
    clock: systemClock,
    onList: (outcome) => {
      const reason = outcome.source === 'cache' ? '' : outcome.reason;
      metrics.inc('service_list_answers_total', { source: outcome.source, reason });
    },
    countRefusal: countRefusals(metrics),
  });
  metrics.onExpose(() => {
    const { answers, retainedViews } = lists.figures();
    metrics.set('service_list_answers_kept_bytes', answers);
    metrics.set('service_list_pages_kept_bytes', retainedViews);
  });
  return lists;
}

/** What `GET /api/config` answers to anyone. */
function publicConfigOf(settings: Settings, version: string) {
  const { access, auth, secrets, restart, consumers, displayName } = settings;
  return {
    authDisabled: auth.disabled,
    oidcConfigured: auth.oidc !== undefined,
    managedOnly: secrets.managedOnly,
    restartEnabled: restart.enabled,
    consumersEnabled: consumers.enabled,
    ...(access.contact !== undefined && { accessContact: access.contact }),
    ...(displayName !== undefined && { displayName }),
    version,
  };
}

/** Keys of other purposes are derived with another text. */
const PURPOSE = 'service continue tokens';

/** The key of `continue` tokens, the same on every replica; without a signing key, one of this process alone. */
function pageTokenKey({ auth }: Pick<Settings, 'auth'>): Uint8Array {
  const { key } = auth.disabled ? {} : readSigningKey(auth.sessionSecret);
  if (key === undefined) return randomBytes(KEY_BYTES);
  return new Uint8Array(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES));
}
