import { describe, expect, it, vi } from 'vitest';
import type { DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { NAMESPACES } from '../../../src/cluster/objects/resources.ts';
import type { Gateway } from '../../../src/cluster/transport/gateway.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { eventually } from '../../harness/eventually.ts';
import { READ, WATCH } from './gateway-fixture.ts';
import {
  certificate,
  fakeIntervals,
  running,
  secureGateway,
  startProxy,
  startTlsCluster,
  startTunnel,
} from './http2-fixture.ts';

const deadline = unhurriedCall();

const nameOf = (line: string): string =>
  (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name;

/** Opens a watch of the names of what is created. */
async function watchNames(gateway: Gateway, signal = running()) {
  const stream = await gateway.stream(WATCH, signal, nameOf);
  const lines = stream.lines[Symbol.asyncIterator]();
  return async (): Promise<string | undefined> => {
    const line = await lines.next();
    return line.done === true ? undefined : line.value;
  };
}

const openMany = (gateway: Gateway, count: number) =>
  Promise.all(Array.from({ length: count }, () => watchNames(gateway)));

async function create(gateway: Gateway, name: string): Promise<void> {
  const body = { kind: 'Secret', apiVersion: 'v1', metadata: { name } };
  const { name: _none, ...place } = READ;
  await gateway.request({ ...place, verb: 'create', body }, deadline);
}

/** A cluster with a namespace for the watches. */
async function startCluster(tls: Parameters<typeof startTlsCluster>[0] = {}): Promise<DevCluster> {
  const cluster = await startTlsCluster(tls);
  const { gateway } = secureGateway(cluster.url);
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team-a' } };
  await gateway.request({ verb: 'create', resource: NAMESPACES, body }, deadline);
  await gateway.close();
  await eventually(() => {
    expect(cluster.connections()).toBe(0);
  });
  return cluster;
}

describe('watches over HTTP/2', () => {
  it('share a connection as far as the server allows', async () => {
    const cluster = await startCluster({ maxConcurrentStreams: 100 });
    const { gateway } = secureGateway(cluster.url);
    const watches = await openMany(gateway, 1_000);
    expect(cluster.connections()).toBe(10);
    await create(gateway, 'a');
    expect(new Set(await Promise.all(watches.map((next) => next())))).toEqual(new Set(['a']));
  });

  it('use a connection again when a stream of it has ended', async () => {
    const cluster = await startCluster({ maxConcurrentStreams: 2 });
    const { gateway } = secureGateway(cluster.url);
    const ending = new AbortController();
    const next = await watchNames(gateway, ending.signal);
    await openMany(gateway, 1);
    ending.abort();
    expect(await next()).toBeUndefined();
    // Node's server counts a stream until it has cleaned up after it.
    await eventually(() => openMany(gateway, 1));
    expect(cluster.connections()).toBe(1);
  });

  it('have a connection each where the server speaks HTTP/1.1 only', async () => {
    const cluster = await startCluster({ http1Only: true });
    const { gateway } = secureGateway(cluster.url);
    const watches = await openMany(gateway, 5);
    await create(gateway, 'a');
    expect(await Promise.all(watches.map((next) => next()))).toEqual(Array(5).fill('a'));
    await eventually(() => {
      expect(cluster.connections()).toBe(6);
    });
  });

  it('leave the connections of the reads alone', async () => {
    const cluster = await startCluster({ maxConcurrentStreams: 2 });
    const { gateway } = secureGateway(cluster.url);
    await openMany(gateway, 5);
    await create(gateway, 'a');
    expect((await gateway.request({ ...READ, name: 'a' }, deadline)).status).toBe(200);
  });

  it('go through a proxy, which sees the address and nothing else', async () => {
    const cluster = await startCluster();
    const proxy = await startProxy();
    const { gateway } = secureGateway(cluster.url, { proxyUrl: proxy.url });
    const [first, second] = await openMany(gateway, 2);
    await create(gateway, 'a');
    expect([await first?.(), await second?.()]).toEqual(['a', 'a']);
    // One for the watches, one for the write.
    const target = new URL(cluster.url).host;
    expect(proxy.tunnels).toEqual([
      { target, authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
      { target, authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
    ]);
  });

  it('are sent to no server that another CA vouches for', async () => {
    const cluster = await startCluster();
    const { gateway, records } = secureGateway(cluster.url, { ca: [makeCertificate('other')] });
    const before = cluster.requests.last;
    await expect(watchNames(gateway)).rejects.toMatchObject({ reason: 'connectionFailed' });
    expect(cluster.requests.list(before)).toEqual([]);
    expect(records[0]?.systemCode).toMatch(/CERT|SIGNATURE/);
  });
});

describe('when connections with HTTP/2 end', () => {
  it('streams of one that is going away continue, and new ones get another', async () => {
    const cluster = await startCluster();
    const { gateway } = secureGateway(cluster.url);
    const ending = new AbortController();
    const before = await watchNames(gateway, ending.signal);
    cluster.goAway();
    await create(gateway, 'a');
    expect(await before()).toBe('a');
    const after = await watchNames(gateway);
    expect(cluster.connections()).toBe(3);
    await create(gateway, 'b');
    expect([await before(), await after()]).toEqual(['b', 'a']);
    ending.abort();
    await eventually(() => {
      expect(cluster.connections()).toBe(2);
    });
  });

  it('what a watch has begun to send is completed on one that is going away', async () => {
    const cluster = await startCluster();
    const { gateway } = secureGateway(cluster.url);
    const names = Array.from({ length: 50 }, (_, index) => `s-${String(index).padStart(2, '0')}`);
    for (const name of names) await create(gateway, name);
    const query = { watch: 'true', sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
    const stream = await gateway.stream({ ...WATCH, query }, running(), nameOf);
    const seen: string[] = [];
    for await (const name of stream.lines) {
      if (seen.length === 0) cluster.goAway();
      if (seen.push(name) === names.length) break;
    }
    expect(seen).toEqual(names);
  });

  it('a stream that is cut fails, and the others of its connection do not', async () => {
    const cluster = await startCluster();
    const { gateway } = secureGateway(cluster.url);
    const [first, second] = await openMany(gateway, 2);
    const end = { type: 'endWatch', abrupt: true } as const;
    cluster.faults.add({ match: { verb: 'watch' }, times: 1, action: end });
    await expect(first?.()).rejects.toMatchObject({ reason: 'connectionFailed' });
    await create(gateway, 'a');
    expect(await second?.()).toBe('a');
    expect(cluster.connections()).toBe(2);
  });

  it('without a word, a ping notices it, and the streams fail', async () => {
    const cluster = await startCluster();
    const tunnel = await startTunnel(cluster.url);
    const { gateway } = secureGateway(tunnel.url);
    fakeIntervals();
    const watches = await openMany(gateway, 2);
    const ends = Promise.allSettled(watches.map((next) => next()));
    tunnel.silence();
    await vi.advanceTimersByTimeAsync(40_000);
    const reason = expect.objectContaining({ code: 'unavailable', reason: 'connectionFailed' }) as unknown;
    expect(await ends).toEqual(Array(2).fill({ status: 'rejected', reason }));
  });

  it('pings keep a connection that is merely quiet', async () => {
    const cluster = await startCluster();
    const tunnel = await startTunnel(cluster.url);
    const { gateway } = secureGateway(tunnel.url);
    fakeIntervals();
    const [next] = await openMany(gateway, 1);
    for (let ping = 1; ping <= 30; ping++) {
      const received = tunnel.received();
      await vi.advanceTimersByTimeAsync(10_000);
      await eventually(() => {
        expect(tunnel.received()).toBeGreaterThan(received);
      });
    }
    const { gateway: direct } = secureGateway(cluster.url);
    await create(direct, 'a');
    expect(await next?.()).toBe('a');
  });

  it('because the server has ended, their streams fail', async () => {
    const cluster = await startCluster();
    const { gateway } = secureGateway(cluster.url);
    const [next] = await openMany(gateway, 1);
    await cluster.close();
    await expect(next?.()).rejects.toMatchObject({ reason: 'connectionFailed' });
  });

  it('one without streams is closed', async () => {
    const cluster = await startCluster();
    const { gateway } = secureGateway(cluster.url);
    const ending = new AbortController();
    const next = await watchNames(gateway, ending.signal);
    ending.abort();
    await next();
    await eventually(() => {
      expect(cluster.connections()).toBe(0);
    });
  });

  it('because the CA has rotated, streams of the former continue, and new ones are verified with the new', async () => {
    const cluster = await startCluster();
    const { gateway, trust } = secureGateway(cluster.url);
    const former = await watchNames(gateway);
    trust(makeCertificate('next'));
    await expect(watchNames(gateway)).rejects.toMatchObject({ reason: 'connectionFailed' });
    trust(makeCertificate('next'), certificate);
    const renewed = await watchNames(gateway);
    await create(gateway, 'a');
    expect([await former(), await renewed()]).toEqual(['a', 'a']);
    await gateway.close();
    await expect(former()).rejects.toMatchObject({ reason: 'connectionFailed' });
    await eventually(() => {
      expect(cluster.connections()).toBe(0);
    });
  });
});
