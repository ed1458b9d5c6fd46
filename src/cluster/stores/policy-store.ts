import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { PolicyStore, StoredPolicy } from '../../access/policy.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { createWatchable, readObject, readWholeList, type Requests, type WatchGateway } from './objects.ts';
import { decodeIdentity, field, malformed, mapOf, textMap } from '../objects/raw-object.ts';
import { CONFIG_MAPS } from '../objects/resources.ts';

const MALFORMED = 'malformedConfigMap';

/** Namespace policies as ConfigMaps of one name, one in each namespace. Always live. */
export function createPolicyStore(gateway: Requests, name: string): PolicyStore {
  return {
    read: (namespace, deadline) => {
      const decode = (native: unknown) => decodePolicy(native, name, namespace);
      return readObject(gateway, { resource: CONFIG_MAPS, namespace, name }, decode, deadline);
    },
    readAll: (deadline) => {
      const decode = (native: unknown) => decodePolicy(native, name);
      const query = { fieldSelector: `metadata.name=${name}` };
      return readWholeList(gateway, { resource: CONFIG_MAPS, query, decode }, deadline);
    },
  };
}

export type WatchedConfigMap = StoredPolicy & WatchedObject;

/**
 * Lists and watches the ConfigMaps of one name, each reduced by `keep` as it arrives. The name is in the field selector, so a
 * permission for this name alone is sufficient.
 */
export function watchConfigMaps<Kept extends WatchedObject>(
  gateway: WatchGateway,
  name: string,
  scope: WatchedScope,
  keep: (configMap: WatchedConfigMap) => Kept,
): Watchable<Kept> {
  const decode = (native: unknown) => keep(decodePolicy(native, name));
  const fieldSelector = `metadata.name=${name}`;
  return createWatchable(gateway, { resource: CONFIG_MAPS, fieldSelector, decode }, scope);
}

/** @throws {ServiceError} `unavailable` when the object is no such ConfigMap */
function decodePolicy(native: unknown, policyName: string, expectedNamespace?: string): WatchedConfigMap {
  const identity = decodeIdentity(native, 'ConfigMap', MALFORMED);
  const { namespace, name } = identity;
  if (name !== policyName || namespace !== (expectedNamespace ?? namespace)) {
    throw malformed('unexpectedConfigMap');
  }
  return {
    ...identity,
    data: textMap(field(native, 'data'), MALFORMED),
    binaryKeys: [...mapOf(field(native, 'binaryData'), MALFORMED, () => true).keys()],
  };
}
