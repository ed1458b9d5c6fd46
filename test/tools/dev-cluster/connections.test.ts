import { describe, expect, it } from 'vitest';
import { NAMESPACES } from '../../../src/cluster/objects/resources.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { eventually } from '../../harness/eventually.ts';
import { running, secureGateway, startTlsCluster } from '../../integration/cluster/http2-fixture.ts';
import { useClusters } from './fixture.ts';

const start = useClusters();
const LIST = { verb: 'list', resource: NAMESPACES } as const;
const WATCH = { verb: 'watch', resource: NAMESPACES, query: { watch: 'true' } } as const;

describe('the connections of the development cluster', () => {
  it('end on demand when no request uses them, which clients survive', async () => {
    const { cluster, client } = await start();
    const { gateway } = secureGateway(cluster.url);
    await gateway.stream(WATCH, running(), () => undefined);
    await gateway.request(LIST, unhurriedCall());
    expect(cluster.connections()).toBeGreaterThan(1);
    cluster.closeIdle();
    await eventually(() => {
      expect(cluster.connections()).toBe(1);
    });
    expect((await client.send('POST', '/_dev/close-idle')).status).toBe(200);
    expect((await gateway.request(LIST, unhurriedCall())).status).toBe(200);
  });

  it('with TLS speak HTTP/2 or HTTP/1.1 at the choice of the client, and the kubeconfig names the CA', async () => {
    const cluster = await startTlsCluster();
    const { gateway } = secureGateway(cluster.url);
    await gateway.request(LIST, unhurriedCall());
    await gateway.stream(WATCH, running(), () => undefined);
    const before = cluster.connections();
    cluster.closeIdle();
    await eventually(() => {
      expect(cluster.connections()).toBeLessThan(before);
    });
    expect(cluster.url).toMatch(/^https:/);
    expect(cluster.kubeconfig()).toContain('certificate-authority-data: ');
  });
});
