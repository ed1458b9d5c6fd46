import type { WatchedScope } from '../../access/namespace-scope.ts';
import type { PolicyStore, StoredPolicy } from '../../access/policy.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import type { Gateway } from '../transport/gateway.ts';
import { readObject, readWholeList } from './reads.ts';
import { createWatchable, type WatchGateway } from './watchable.ts';
import { entriesOf, field, isObject, malformed, requiredText, textMap } from '../objects/raw-object.ts';
import { CONFIG_MAPS } from '../objects/resources.ts';

const MALFORMED = 'malformedConfigMap';

/** Namespace policies as ConfigMaps of one name, one in each namespace. Always live. */
export function createPolicyStore(gateway: Pick<Gateway, 'request'>, policyName: string): PolicyStore {
  return {
    read: async (namespace, deadline) => {
      const request = { resource: CONFIG_MAPS, namespace, name: policyName };
      const found = await readObject(gateway, request, deadline);
      return found && decodePolicy(found.body, policyName, namespace);
    },
    readAll: (deadline) => {
      const list = {
        resource: CONFIG_MAPS,
        query: { fieldSelector: `metadata.name=${policyName}` },
        kinds: ['ConfigMapList'],
        keep: (native: unknown) => decodePolicy(native, policyName),
      };
      return readWholeList(gateway, list, deadline);
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
  const decode = (native: unknown): WatchedConfigMap => {
    const uid = requiredText(field(field(native, 'metadata'), 'uid'), MALFORMED);
    return { ...decodePolicy(native, name), name, uid };
  };
  const fieldSelector = `metadata.name=${name}`;
  return createWatchable(
    gateway,
    { resource: CONFIG_MAPS, listKinds: ['ConfigMapList'], fieldSelector, decode },
    scope,
  );
}

/** @throws {ServiceError} `unavailable` when the object is no such ConfigMap */
function decodePolicy(native: unknown, policyName: string, expectedNamespace?: string): StoredPolicy {
  const metadata = field(native, 'metadata');
  const kind = field(native, 'kind');
  if (!isObject(metadata) || (kind !== undefined && kind !== 'ConfigMap')) throw malformed(MALFORMED);
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
