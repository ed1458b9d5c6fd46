import { parsePolicy } from '../access/policy.ts';
import { nextExpiries } from '../caches/cached-secret.ts';
import { createSyncReadiness } from '../caches/freshness.ts';
import { CachedPolicies, createNamespaceCache, type CachedPolicy } from '../caches/policy-cache.ts';
import { SecretListCache } from '../caches/secret-list-cache.ts';
import { watchNamespaces, type WatchedNamespace } from '../cluster/stores/namespace-store.ts';
import { watchConfigMaps, type WatchedConfigMap } from '../cluster/stores/policy-store.ts';
import type { Settings } from '../config/settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { PlainTable } from '../informers/object-store.ts';
import type { WatchedObject } from '../informers/ports.ts';
import type { Reflector } from '../informers/reflector.ts';
import { EXPIRY_KINDS } from '../lists/list-item.ts';
import { systemClock } from '../timing/clock.ts';
import { createReflectors } from './reflectors.ts';
import type { ListedReflectors } from './secrets-watch.ts';
import type { ServiceParts } from './parts.ts';

/** Secrets whose expiry is exposed, each as a series. */
const MOST_EXPOSED = 1_000;

/** The caches that answer lists, from the watched Secrets, and from policies and namespaces that are watched for them. */
export function createCaches(parts: ServiceParts, listed: ListedReflectors) {
  const { settings, metrics, events } = parts;
  const { maxSilenceMs } = settings.lists;
  const listCache = new SecretListCache({
    reflectorOf: listed.of,
    byScope: listed.byScope,
    onChange: (listener) => events.on('list', listener),
    maxSilenceMs,
    clock: systemClock,
  });
  const policies = policyReflectors(parts);
  const policyCache = new CachedPolicies({
    reflectorOf: policies.of,
    policyName: settings.access.policyName,
    maxSilenceMs,
  });
  const namespaces = namespaceReflectors(parts);
  events.on('restored', listCache.forget);
  events.on('restored', policyCache.forget);
  metrics.onExpose(() => {
    const tables = listed.all.map(({ objects }) => objects.live);
    exposeCache('secrets', listed.all, tables, metrics);
    const cached = tables.flatMap(({ namespaces: held }) => [...held.values()]);
    metrics.set('service_cache_namespaces_over_budget', cached.filter(({ isOver }) => isOver).length);
    exposeExpiries(listed, settings.lists.expiryMetrics, metrics);
    const policyTables = policies.all.map(({ objects }) => objects);
    exposeCache('policies', policies.all, policyTables, metrics);
    exposeMachines(policies, metrics);
  });
  const [namespaceReflector] = namespaces?.all ?? [];
  return {
    listCache,
    policyCache,
    /** Undefined where the scope names its namespaces. */
    namespaceCache: namespaceReflector && createNamespaceCache(namespaceReflector, maxSilenceMs),
    tasks: [...policies.tasks, ...(namespaces?.tasks ?? [])],
    readiness: {
      name: 'caches',
      detail: () => 'waiting for the first lists',
      isReady: createSyncReadiness([...listed.all, ...policies.all], systemClock),
    },
  };
}

function policyReflectors(parts: ServiceParts) {
  const { settings, cluster, logger } = parts;
  return createReflectors(parts, {
    informer: 'policies',
    sourceOf: (watched) =>
      watchConfigMaps(cluster.gateway, settings.access.policyName, watched, cachedPolicyOf),
    createTable: () =>
      new PlainTable<CachedPolicy & WatchedObject>(({ state }) => JSON.stringify(state).length),
    onChange: ({ value }) => {
      if (value !== undefined) reportMachines(value, settings, logger);
    },
    maxSilenceMs: settings.lists.maxSilenceMs,
  });
}

function cachedPolicyOf({ data, binaryKeys, ...object }: WatchedConfigMap): CachedPolicy & WatchedObject {
  return { ...object, state: parsePolicy({ ...object, data, binaryKeys }) };
}

/** Only where machines have access at all. Field and rule are named, never a value. */
function reportMachines({ namespace, state }: CachedPolicy, { auth }: Settings, logger: Logger): void {
  if (state.state !== 'rules' || state.machines === undefined || auth.trustedIssuers.length === 0) return;
  const { machines } = state;
  if (machines.kind === 'malformed') {
    logger.warn('bindings of machines are malformed', { namespace, problem: machines.problem });
    return;
  }
  const trusted = auth.trustedIssuers.map(({ name }) => name);
  for (const { name, issuer } of machines.bindings) {
    if (!trusted.includes(issuer)) logger.warn('binding names an unknown issuer', { namespace, name });
  }
}

function exposeMachines({ all }: ReturnType<typeof policyReflectors>, metrics: Metrics): void {
  const counts = { bindings: 0, malformed: 0 };
  for (const { objects } of all) {
    for (const { state } of objects.values()) {
      if (state.state === 'rules' && state.machines !== undefined) counts[state.machines.kind]++;
    }
  }
  metrics.set('service_machine_policies', counts.bindings, { state: 'valid' });
  metrics.set('service_machine_policies', counts.malformed, { state: 'malformed' });
}

/** Without cluster-wide rights, the namespaces are those of the scope. */
function namespaceReflectors(parts: ServiceParts) {
  const { settings, scope, cluster } = parts;
  if (scope.named !== undefined) return undefined;
  return createReflectors(parts, {
    informer: 'namespaces',
    scopes: [{ without: [] }],
    sourceOf: () => watchNamespaces(cluster.gateway),
    createTable: () => new PlainTable<WatchedNamespace>(),
    onChange: () => undefined,
    maxSilenceMs: settings.lists.maxSilenceMs,
  });
}

/** @param ofAllKinds whether what is declared is exposed, too: SERVICE_EXPIRY_METRICS */
function exposeExpiries({ all }: ListedReflectors, ofAllKinds: boolean, metrics: Metrics): void {
  const secrets = all.flatMap(({ objects }) => [...objects.live.withExpiry]);
  metrics.replace(
    'service_certificate_not_after_seconds',
    nextExpiries(secrets, ['certificate'], MOST_EXPOSED).map(({ namespace, name, at }) => ({
      labels: { namespace, name },
      value: at,
    })),
  );
  const malformed = secrets.filter(({ expiries }) => expiries?.isMalformed === true);
  metrics.set('service_expiry_annotations_malformed', malformed.length);
  if (!ofAllKinds) return;
  metrics.replace(
    'service_secret_expiry_timestamp_seconds',
    nextExpiries(secrets, EXPIRY_KINDS, MOST_EXPOSED).map(({ namespace, name: secret, kind, at }) => ({
      labels: { namespace, secret, kind },
      value: at,
    })),
  );
}

/** @param tables of the reflectors, or what is exposed of them */
function exposeCache(
  cache: string,
  reflectors: readonly Pick<Reflector<unknown>, 'status'>[],
  tables: readonly { readonly size: number; readonly bytes: number }[],
  metrics: Metrics,
): void {
  const synced = reflectors.every((reflector) => reflector.status().synced);
  const sum = (one: 'size' | 'bytes') => tables.reduce((all, table) => all + table[one], 0);
  metrics.set('service_cache_synced', synced, { cache });
  metrics.set('service_cache_objects', sum('size'), { cache });
  metrics.set('service_cache_bytes', sum('bytes'), { cache });
}
