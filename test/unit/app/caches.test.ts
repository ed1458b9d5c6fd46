import { EventEmitter } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createCaches } from '../../../src/app/caches.ts';
import type { ServiceParts } from '../../../src/app/parts.ts';
import type { ListedReflectors } from '../../../src/app/secrets-watch.ts';
import type { Expiries } from '../../../src/lists/list-item.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { scriptLists } from '../cluster/scripted-gateway.ts';
import { recordingLogger } from '../observability/log-lines.ts';

const FUTURE = '99';
const POLICIES = { kind: 'ConfigMapList', metadata: { resourceVersion: '10' }, items: [] };

/** The caches of one namespace without a policy, at revision 10. */
function open(withExpiry: readonly { readonly name: string; readonly expiries: Expiries }[] = []) {
  const nothing = (): void => undefined;
  const exposed = new Map<string, readonly { readonly value: number }[]>();
  const events = new EventEmitter();
  let expose = nothing;
  const parts = {
    settings: {
      lists: { maxSilenceMs: 60_000, expiryMetrics: true },
      access: { policyName: 'policy' },
      auth: { trustedIssuers: [] },
    },
    logger: recordingLogger().logger,
    metrics: {
      ...{ inc: nothing, add: nothing, set: nothing },
      replace: (name: string, series: readonly { readonly value: number }[]) => exposed.set(name, series),
      onExpose: (listener: () => void) => (expose = listener),
    },
    scope: { named: ['ns'], watched: [{ namespace: 'ns' }] },
    cluster: { gateway: { ...scriptLists(POLICIES, POLICIES), stream: untilAborted } },
    events,
  };
  const reflector = {
    status: () => ({ synced: true, revision: '10', silenceMs: 0, isForbidden: false }),
    objects: { live: { size: 0, bytes: 0, namespaces: new Map(), withExpiry } },
  };
  const listed = { of: () => reflector, byScope: [], all: [reflector] };
  const caches = createCaches(parts as unknown as ServiceParts, listed as unknown as ListedReflectors);
  return {
    ...caches,
    events,
    exposed,
    expose: () => {
      expose();
    },
  };
}

const untilAborted = (_request: unknown, signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
  });

it('what was read before the storage was restored keeps no cache from answering', async () => {
  const { listCache, policyCache, events, tasks } = open();
  const stop = new AbortController();
  const running = Promise.all(tasks.map((run) => run(stop.signal)));
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const listState = () => listCache.state('ns', unhurriedCall(), 0);
  await vi.waitUntil(() => policyCache.state('ns') !== undefined);
  listCache.noteRevision({ namespace: 'ns', name: 'a' }, FUTURE, listCache.startObservation());
  const absent = { state: 'absent' } as const;
  const since = policyCache.startRead();
  policyCache.noteRead('ns', { resourceVersion: FUTURE, state: absent, since, reached: FUTURE });
  expect([await listState(), policyCache.state('ns')]).toEqual(['behind', undefined]);
  events.emit('restored');
  await vi.waitUntil(() => policyCache.state('ns') !== undefined);
  expect([await listState(), policyCache.state('ns')]).toMatchObject([{ count: 0 }, absent]);
});

it('the expiries of 1,000 Secrets are exposed, the soonest', () => {
  const secrets = Array.from({ length: 1_001 }, (_, index) => {
    const at = (index * 617) % 1_001;
    return { namespace: 'ns', name: `expires-${at}`, expiries: { certificate: at } };
  });
  const { exposed, expose } = open(secrets);
  expose();
  for (const name of ['service_certificate_not_after_seconds', 'service_secret_expiry_timestamp_seconds']) {
    const values = exposed.get(name)?.map(({ value }) => value);
    expect(values).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  }
});
