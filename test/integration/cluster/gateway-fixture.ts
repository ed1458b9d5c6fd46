import { onTestFinished } from 'vitest';
import type { CallRecord } from '../../../src/cluster/transport/call-record.ts';
import { systemClock } from '../../../src/timing/clock.ts';
import type { Credentials } from '../../../src/cluster/credentials/credentials.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../../src/cluster/transport/gateway.ts';
import type { ClusterRequest } from '../../../src/cluster/transport/request.ts';
import { SECRETS } from '../../../src/cluster/objects/resources.ts';
import { startScriptedServer, type Play, type ScriptedServer } from './scripted-server.ts';

export const READ: ClusterRequest = { verb: 'get', resource: SECRETS, namespace: 'team-a', name: 'a' };
export const WRITE: ClusterRequest = { ...READ, verb: 'update', body: { data: {} } };
export const WATCH: ClusterRequest = {
  verb: 'watch',
  resource: SECRETS,
  namespace: 'team-a',
  query: { watch: 'true' },
};

export interface GatewayFixture {
  readonly server: ScriptedServer;
  readonly gateway: Gateway;
  /** The calls of the observer. */
  readonly records: CallRecord[];
  /** The waits between attempts, none of which is really waited for. */
  readonly waits: number[];
}

/** Fixed credentials for a server. */
export function credentialsFor(server: string, more: Partial<Credentials> = {}): Credentials {
  return {
    server,
    proxyUrl: undefined,
    home: { namespace: undefined, inCluster: false },
    access: () => Promise.resolve({ headers: { authorization: 'Bearer t' }, tls: {} }),
    forget: () => undefined,
    ...more,
  };
}

/** A gateway to a server that answers by the plays; both end with the test. */
export async function openGateway(
  plays: readonly Play[],
  options: Partial<GatewayOptions> = {},
): Promise<GatewayFixture> {
  const server = await startScriptedServer(plays);
  const { gateway, records, waits } = gatewayTo(server.url, options);
  onTestFinished(() => server.close());
  return { server, gateway, records, waits };
}

/** A gateway to a server, which ends with the test. */
export function gatewayTo(
  url: string,
  options: Partial<GatewayOptions> = {},
): Omit<GatewayFixture, 'server'> {
  const records: CallRecord[] = [];
  const waits: number[] = [];
  const gateway = createGateway({
    credentials: credentialsFor(url),
    onCall: (record) => records.push(record),
    random: () => 0,
    clock: {
      ...systemClock,
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    },
    ...options,
  });
  onTestFinished(() => gateway.close());
  return { gateway, records, waits };
}
