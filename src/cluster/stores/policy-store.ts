import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { PolicyStore, StoredPolicy } from '../../access/policy.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { createWatchable, readObject, readWholeList, type Requests, type WatchGateway } from './objects.ts';
import { decodeIdentity, entriesOf, field, malformed, requiredText, textMap } from '../objects/raw-object.ts';
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
 * Lists and watches the ConfigMaps of one name. The name is in the field selector, so a permission for this name alone
 * is sufficient.
 */
export function watchConfigMaps(
  gateway: WatchGateway,
  name: string,
  scope: WatchedScope,
): Watchable<WatchedConfigMap> {
  const decode = (native: unknown): WatchedConfigMap => ({
    ...decodePolicy(native, name),
    ...decodeIdentity(native, 'ConfigMap', MALFORMED),
  });
  const fieldSelector = `metadata.name=${name}`;
  return createWatchable(gateway, { resource: CONFIG_MAPS, fieldSelector, decode }, scope);
}

/** @throws {ServiceError} `unavailable` when the object is no such ConfigMap */
function decodePolicy(native: unknown, policyName: string, expectedNamespace?: string): StoredPolicy {
  const metadata = field(native, 'metadata');
  const kind = field(native, 'kind');
  if (kind !== undefined && kind !== 'ConfigMap') throw malformed(MALFORMED);
  const namespace = requiredText(field(metadata, 'namespace'), MALFORMED);
  if (field(metadata, 'name') !== policyName || namespace !== (expectedNamespace ?? namespace)) {
    throw malformed('unexpectedConfigMap');
  }
  return {
    namespace,
    resourceVersion: requiredText(field(metadata, 'resourceVersion'), MALFORMED),
    data: textMap(field(native, 'data'), MALFORMED),
    binaryKeys: entriesOf(field(native, 'binaryData'), MALFORMED).map(([key]) => key),
  };
}
