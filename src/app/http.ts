import { hkdfSync, randomBytes } from 'node:crypto';
import { createAuthorizer, type Authorizer } from '../access/authorizer.ts';
import { createApp } from '../api/app.ts';
import { BUILT_PAGES, readWebPages } from '../api/routes/page-routes.ts';
import type { Audit } from '../api/runner/audit.ts';
import { createAuthentication, createMachines, createTerminalSignIn } from '../auth/authentication.ts';
import { readSigningKey } from '../auth/session/sessions.ts';
import { cacheNotifyingStore } from '../caches/cache-notifying-store.ts';
import { fetchTrusting } from '../cluster/cluster.ts';
import type { Settings } from '../config/settings.ts';
import { createHistory } from '../history/history.ts';
import type { PrefixGuard } from '../history/reconciler/controller.ts';
import { createCompressor } from '../lists/list-body.ts';
import { createLists } from '../lists/lists.ts';
import type { SecretStore } from '../secrets/ports.ts';
import { createSeal, KEY_BYTES } from '../secrets/seal.ts';
import { createSecretsService } from '../secrets/secrets-service.ts';
import { BodyBudget, createLimiter, createRequestSeats } from '../server/server.ts';
import { systemClock } from '../timing/clock.ts';
import { createConsumers } from '../workloads/consumers.ts';
import type { Workers } from './workers.ts';

/** Connects access, Secrets, consumers and sign-in with the API. */
export function createHttpApp(workers: Workers, audit: Audit) {
  const { settings, scope, cluster, caches, isRevoked, logger, metrics } = workers;
  const { http, auth, access, limits } = settings;
  const store = guardedStore(cluster.secrets, workers.prefix);
  const authorizer = createAuthorizer({
    policies: cluster.policies,
    namespaces: cluster.namespaces,
    namespaceCache: caches?.namespaceCache,
    policyCache: caches?.policyCache,
    scope,
  });
  const issuers = { auth, fetchTrusting, reviewToken: cluster.reviewToken, isRevoked, logger, metrics };
  // Without sign-in, everyone is an administrator.
  const machines = auth.disabled || auth.trustedIssuers.length === 0 ? undefined : createMachines(issuers);
  const people = { ...auth, publicUrl: http.publicUrl, isRevoked };
  const terminal = people.disabled ? undefined : createTerminalSignIn(people);
  return createApp({
    ...workers,
    ...boundsOf(workers),
    ...secretsOf(workers, authorizer, store),
    audit,
    authorizer,
    authentication: createAuthentication({ settings, logger, isRevoked, metrics }),
    admins: { users: access.adminUsers, groups: access.adminGroups },
    everyoneIsAdmin: auth.disabled,
    machines,
    terminal,
    loginLimiter: createLimiter(limits.loginsPerAddress),
    tokenLimiter: createLimiter(limits.loginsPerAddress),
    personLimiter: createLimiter(limits.requestsPerPerson),
    loggedRequests: settings.loggedRequests,
    config: publicConfigOf(settings, workers.version),
    webPages: readWebPages(BUILT_PAGES),
    publicUrl: http.publicUrl,
    production: settings.production,
    trustProxy: http.trustProxy,
  });
}

/** What bounds the requests in progress, with its metrics. */
function boundsOf({ settings, metrics }: Workers) {
  const seats = createRequestSeats(metrics.countRefusal);
  const bodies = new BodyBudget(settings.limits.bodyBytes, metrics.countRefusal);
  metrics.onExpose(() => {
    const { working, waitingForClient, queued } = seats.clusterWork.figures();
    metrics.set('service_cluster_work', working, { state: 'working' });
    metrics.set('service_cluster_work', waitingForClient, { state: 'waiting_for_client' });
    metrics.set('service_cluster_work', queued, { state: 'queued' });
    metrics.set('service_request_body_bytes', bodies.heldBytes());
  });
  return { seats, bodies };
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

/** The use cases on Secrets, on their lists, and on the workloads that use them. */
function secretsOf(
  { settings, cluster, codec, caches, historyIndex, metrics }: Workers,
  authorizer: Authorizer,
  store: SecretStore,
) {
  const tokenKey = pageTokenKey(settings);
  const now = () => new Date();
  const lists = createLists({
    store,
    codec,
    authorizer,
    managedOnly: settings.secrets.managedOnly,
    listCache: caches?.listCache,
    compress: createCompressor(),
    tokenKey,
    clock: systemClock,
    onList: (outcome) => {
      const reason = outcome.source === 'cache' ? '' : outcome.reason;
      metrics.inc('service_list_answers_total', { source: outcome.source, reason });
    },
    countRefusal: metrics.countRefusal,
  });
  metrics.onExpose(() => {
    const { answers, retainedViews } = lists.figures();
    metrics.set('service_list_answers_kept_bytes', answers);
    metrics.set('service_list_pages_kept_bytes', retainedViews);
  });
  const secrets = createSecretsService({
    ...settings.secrets,
    store: caches === undefined ? store : cacheNotifyingStore(store, caches.listCache),
    // Without notes for the list cache, which has no snapshots.
    history: createHistory({ store, codec, limit: settings.secrets.historyLimit, index: historyIndex }),
    authorizer,
    codec,
    tokenSeal: createSeal(tokenKey),
    now,
  });
  return { lists, secrets, consumers: createConsumers(cluster.workloads, now) };
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
