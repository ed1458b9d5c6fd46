import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { NAMESPACES, SECRETS } from '../../../src/cluster/objects/resources.ts';
import { watchSecretMetadata } from '../../../src/cluster/stores/watched-secrets.ts';
import type { Gateway } from '../../../src/cluster/transport/gateway.ts';
import type { ClusterRequest } from '../../../src/cluster/transport/request.ts';
import { PlainTable } from '../../../src/informers/object-store.ts';
import { createReflector } from '../../../src/informers/reflector.ts';
import { createRevisionProbe } from '../../../src/informers/revision-probe.ts';
import type { SecretMetadata } from '../../../src/kube/secret.ts';
import { codec } from '../../fakes/annotations.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock.ts';
import { eventually } from '../../harness/eventually.ts';
import { certificate, fakeIntervals, secureGateway, startTunnel } from './http2-fixture.ts';

const NAMESPACE = 'team-a';
const deadline = unhurriedCall();
/** The event of an object with so much in an annotation takes many frames, and more than is in transit at once. */
const LONG = 200_000;

/** Changes Secrets, and remembers what events that makes. */
function writerTo(gateway: Gateway) {
  const expected: string[] = [];
  const send = async (kind: string, name: string, request: Partial<ClusterRequest>): Promise<void> => {
    const place = { resource: SECRETS, namespace: NAMESPACE };
    const { body } = await gateway.request({ verb: 'get', ...place, ...request }, deadline);
    const { metadata } = body as { readonly metadata?: { readonly resourceVersion?: string } };
    expected.push(
      kind === 'deleted' ? `${kind} ${name}` : `${kind} ${name} ${metadata?.resourceVersion ?? ''}`,
    );
  };
  const secret = (name: string, length: number): object => {
    const metadata = { name, annotations: { text: 'x'.repeat(length) } };
    return { kind: 'Secret', apiVersion: 'v1', metadata };
  };
  let count = 0;
  return {
    expected,
    /** Creates one Secret, changes another, deletes a third. */
    change: async (length = 1): Promise<void> => {
      const [fresh, old] = [`s-${++count}`, `s-${count - 1}`];
      await send('added', fresh, { verb: 'create', body: secret(fresh, length) });
      await send('modified', fresh, { verb: 'update', name: fresh, body: secret(fresh, length + 1) });
      if (count > 1) await send('deleted', old, { verb: 'delete', name: old, body: {} });
    },
  };
}

/** A cluster that can be restarted with what it holds. */
async function startRestartable() {
  const folder = mkdtempSync(join(tmpdir(), 'service-http2-'));
  const options = { tls: certificate, stateFile: join(folder, 'state') };
  let cluster = await startDevCluster(options);
  const { url } = cluster;
  onTestFinished(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true });
  });
  return {
    url,
    cluster: () => cluster,
    restart: async () => {
      await cluster.close();
      cluster = await startDevCluster({ ...options, port: Number(new URL(url).port) });
    },
  };
}

/** Follows the Secrets of the namespace; ends with the test. */
function startReflector(gateway: Gateway, clock: VirtualClock) {
  const source = watchSecretMetadata(gateway, codec, { namespace: NAMESPACE }, (metadata) => metadata);
  const seen: string[] = [];
  const relists: string[] = [];
  const reflector = createReflector({
    source,
    probe: createRevisionProbe(source),
    createTable: () => new PlainTable<SecretMetadata>(),
    onChange: ({ value, previous }) => {
      if (value === undefined) seen.push(`deleted ${previous?.name}`);
      else
        seen.push(`${previous === undefined ? 'added' : 'modified'} ${value.name} ${value.resourceVersion}`);
    },
    observer: {
      event: () => undefined,
      relist: (reason) => relists.push(reason),
      forbidden: () => undefined,
      restored: () => undefined,
    },
    logger: createLogger('silent'),
    clock,
    random: () => 1,
  });
  const stop = new AbortController();
  const running = reflector.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return { reflector, seen, relists };
}

/** A cluster with a Secret, and a reflector that has listed it through a tunnel. */
async function follow() {
  const { url, cluster, restart } = await startRestartable();
  const { gateway: direct } = secureGateway(url);
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } };
  await direct.request({ verb: 'create', resource: NAMESPACES, body }, deadline);
  const writer = writerTo(direct);
  await writer.change();
  const tunnel = await startTunnel(url);
  fakeIntervals();
  const clock = createVirtualClock();
  const { reflector, seen, relists } = startReflector(secureGateway(tunnel.url, { clock }).gateway, clock);
  await eventually(() => {
    expect(reflector.status().synced).toBe(true);
    // It is opened after the list, and is none of those that a failure leads to.
    expect(requestsOf(cluster(), 0).watches).toBe(1);
  });
  // What was there before is one change in a list.
  const last = writer.expected.splice(0).at(-1);
  expect(seen.splice(0)).toEqual([last?.replace('modified', 'added')]);
  /** Every change was seen once, in order; the cache equals the cluster; nothing was listed again. */
  const expectCaughtUp = async (): Promise<void> => {
    // An attempt has 10 seconds, which no clock of the test moves.
    await eventually(async () => {
      await clock.advance(1_000);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(seen).toHaveLength(writer.expected.length);
    }, 40_000);
    expect(seen).toEqual(writer.expected);
    const list = { verb: 'list', resource: SECRETS, namespace: NAMESPACE } as const;
    const { items = [] } = await direct.request(list, deadline);
    const state = ({ name, uid, resourceVersion }: SecretMetadata) => `${name} ${uid} ${resourceVersion}`;
    const held = Array.from(reflector.objects.values(), state);
    const listed = Array.from(items, ([native]) => (native as { metadata: SecretMetadata }).metadata);
    expect(held).toEqual(listed.map(state));
    expect(relists).toEqual(['start']);
  };
  return { writer, tunnel, cluster, restart, expectCaughtUp };
}

type Following = Awaited<ReturnType<typeof follow>>;

/** Requests of the reflector: watches, and the lists of one object that read the revision after a failure. */
function requestsOf({ requests }: DevCluster, after: number) {
  const all = requests.list(after).filter(({ resource }) => resource === 'secrets');
  const lists = all.filter(({ verb, query }) => verb === 'list' && query.includes('limit='));
  return {
    watches: all.filter(({ verb }) => verb === 'watch').length,
    probes: lists.filter(({ query }) => query.includes('limit=1')).length,
    lists: lists.filter(({ query }) => !query.includes('limit=1')).length,
  };
}

const FAILURES: readonly {
  readonly what: string;
  readonly happens: (following: Following) => Promise<void>;
  readonly requests: { readonly watches: number; readonly probes: number };
}[] = [
  {
    what: 'GOAWAY in mid-watch, which goes on to its end',
    happens: async ({ cluster, writer }) => {
      cluster().goAway();
      await writer.change();
      cluster().faults.add({ match: { verb: 'watch' }, times: 1, action: { type: 'endWatch' } });
    },
    requests: { watches: 1, probes: 0 },
  },
  {
    what: 'a connection that is reset in mid-frame',
    happens: async ({ tunnel, writer }) => {
      tunnel.resetAfter(LONG / 4);
      await writer.change(LONG);
    },
    requests: { watches: 1, probes: 1 },
  },
  {
    what: 'a connection that goes dead without a word, on which pings stay without an answer',
    happens: async ({ tunnel, writer }) => {
      tunnel.silence();
      await writer.change();
    },
    requests: { watches: 1, probes: 1 },
  },
  {
    what: 'streams that are refused, once more often than they are opened again at once',
    happens: async ({ cluster, writer }) => {
      const action = { type: 'cut', refused: true } as const;
      cluster().faults.add({ match: { verb: 'watch' }, times: 3, action });
      cluster().faults.add({ match: { verb: 'watch' }, times: 1, action: { type: 'endWatch' } });
      await writer.change();
    },
    requests: { watches: 4, probes: 1 },
  },
  {
    what: 'a restart of the server',
    happens: async ({ restart, writer }) => {
      await restart();
      await writer.change();
    },
    requests: { watches: 1, probes: 1 },
  },
];

it.each(FAILURES)('after $what, a cache equals the cluster, and no list was needed', async (failure) => {
  const following = await follow();
  await following.writer.change();
  const former = following.cluster();
  const before = former.requests.last;
  await failure.happens(following);
  await following.writer.change();
  await following.expectCaughtUp();
  const cluster = following.cluster();
  const { lists, ...requests } = requestsOf(cluster, cluster === former ? before : 0);
  expect(lists).toBe(0);
  expect(requests).toEqual(failure.requests);
});
