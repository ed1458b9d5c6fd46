import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClusterAccess } from '../../../src/cluster/credentials/credentials.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { makeCertificate, type TestCertificate } from '../../fakes/certificate.ts';
import { codeOf } from '../../fakes/fake-journal.ts';
import { startTunnelProxy } from '../../fakes/tunnel-proxy.ts';
import { credentialsFor, gatewayTo, READ, WRITE } from './gateway-fixture.ts';
import { answer, startScriptedServer, type Play } from './scripted-server.ts';

const deadline = unhurriedCall();
const good = answer(200, {});

async function serve(certificate: TestCertificate, plays: readonly Play[] = [good]) {
  const server = await startScriptedServer(plays, { certificate });
  onTestFinished(() => server.close());
  return server;
}

/** A gateway whose TLS material and token the test changes. */
function rotatingGateway(url: string, access: ClusterAccess) {
  const state = { access };
  const credentials = credentialsFor(url, { access: () => Promise.resolve(state.access) });
  return { ...gatewayTo(url, { credentials }), state };
}

describe('the connection to the cluster', () => {
  it("trusts the cluster's own CA", async () => {
    const certificate = makeCertificate('cluster');
    const server = await serve(certificate);
    const { gateway } = rotatingGateway(server.url, { headers: {}, tls: { ca: certificate.cert } });
    expect((await gateway.request(READ, deadline)).status).toBe(200);
  });

  it('sends nothing to a server that another CA vouches for', async () => {
    const server = await serve(makeCertificate('impostor'));
    const { gateway, records } = rotatingGateway(server.url, {
      headers: { authorization: 'Bearer t' },
      tls: { ca: makeCertificate('cluster').cert },
    });
    expect(await codeOf(gateway.request(WRITE, deadline))).toBe('unavailable');
    expect(server.seen).toEqual([]);
    expect(records[0]?.systemCode).toMatch(/CERT|SIGNATURE/);
  });

  it('takes over a CA and a token that have changed', async () => {
    const certificate = makeCertificate('cluster');
    const server = await serve(certificate);
    const { gateway, state } = rotatingGateway(server.url, {
      headers: { authorization: 'Bearer 1' },
      tls: { ca: makeCertificate('former').cert },
    });
    expect(await codeOf(gateway.request(READ, deadline))).toBe('unavailable');
    state.access = { headers: { authorization: 'Bearer 2' }, tls: { ca: certificate.cert } };
    await gateway.request(READ, deadline);
    state.access = { headers: { authorization: 'Bearer 3' }, tls: { ca: certificate.cert } };
    await gateway.request(READ, deadline);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer 2', 'Bearer 3']);
  });

  it('lets a request end that began under the former certificate', async () => {
    const certificate = makeCertificate('cluster');
    const released = Promise.withResolvers<undefined>();
    const slow: Play = (response, request) => {
      void released.promise.then(() => {
        good(response, request);
      });
    };
    const server = await serve(certificate, [slow, good]);
    const { gateway, state } = rotatingGateway(server.url, { headers: {}, tls: { ca: certificate.cert } });
    const former = gateway.request(WRITE, deadline);
    await server.hasSeen(1);
    state.access = { headers: {}, tls: { ca: [certificate.cert, makeCertificate('next').cert] } };
    await gateway.request(WRITE, deadline);
    released.resolve(undefined);
    expect((await former).status).toBe(200);
  });

  it('goes through a proxy, which sees the address and nothing else', async () => {
    const certificate = makeCertificate('cluster');
    const server = await serve(certificate);
    const proxy = await startTunnelProxy();
    onTestFinished(() => {
      proxy.close();
    });
    const access = { headers: { authorization: 'Bearer t' }, tls: { ca: certificate.cert } };
    const credentials = credentialsFor(server.url, {
      proxyUrl: proxy.url,
      access: () => Promise.resolve(access),
    });
    const { gateway } = gatewayTo(server.url, { credentials });
    expect((await gateway.request(READ, deadline)).status).toBe(200);
    expect(proxy.tunnels.map(({ target }) => target)).toEqual([new URL(server.url).host]);
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
  });
});
