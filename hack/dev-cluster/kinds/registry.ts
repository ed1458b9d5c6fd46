import { CONFIG_MAP } from './config-map.ts';
import { EVENT } from './event.ts';
import {
  ENVOY_PROXY,
  GATEWAY,
  GATEWAY_CLASS,
  HORIZONTAL_POD_AUTOSCALER,
  HTTP_ROUTE,
  INGRESS,
  NETWORK_POLICY,
  POD,
  POD_DISRUPTION_BUDGET,
  SERVICE,
} from './installation.ts';
import { resourceOf, type Kind } from './kind.ts';
import { LEASE } from './lease.ts';
import { NAMESPACE } from './namespace.ts';
import { CLUSTER_ROLE, CLUSTER_ROLE_BINDING, ROLE, ROLE_BINDING } from './roles.ts';
import { SECRET } from './secret.ts';
import { SERVICE_ACCOUNT } from './service-account.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, STATEFUL_SET } from './workloads.ts';

/** Every resource of the development cluster that can be stored. */
export const KINDS: readonly Kind[] = [
  CONFIG_MAP,
  EVENT,
  NAMESPACE,
  SECRET,
  SERVICE_ACCOUNT,
  DAEMON_SET,
  DEPLOYMENT,
  STATEFUL_SET,
  CRON_JOB,
  LEASE,
  CLUSTER_ROLE_BINDING,
  CLUSTER_ROLE,
  ROLE_BINDING,
  ROLE,
  SERVICE,
  POD,
  POD_DISRUPTION_BUDGET,
  HORIZONTAL_POD_AUTOSCALER,
  INGRESS,
  NETWORK_POLICY,
  GATEWAY_CLASS,
  GATEWAY,
  HTTP_ROUTE,
  ENVOY_PROXY,
];

const BY_RESOURCE: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind) => [resourceOf(kind), kind]));

/** The kind of a group's resource, or undefined when there is none. */
export function kindOf(group: string, resource: string): Kind | undefined {
  return BY_RESOURCE.get(group === '' ? resource : `${resource}.${group}`);
}
