import type { WatchedPlace } from '../../access/namespace-scope.ts';
import type { StoredPolicy } from '../../access/ports.ts';
import type { Watchable, WatchedObject } from '../../informers/ports.ts';
import { field, requiredText } from '../objects/raw-object.ts';
import { decodePolicy } from './policy-store.ts';
import { CONFIG_MAPS } from '../objects/resources.ts';
import { createWatchable, type WatchGateway } from './watchable.ts';

export type WatchedConfigMap = StoredPolicy & WatchedObject;

/**
 * Lists and watches the ConfigMaps of one name. The name is in the field selector, so a permission for this name alone
 * is sufficient.
 */
export function watchConfigMaps(
  gateway: WatchGateway,
  name: string,
  place: WatchedPlace,
): Watchable<WatchedConfigMap> {
  const decode = (native: unknown): WatchedConfigMap => {
    const metadata = field(native, 'metadata');
    const text = (part: string): string => requiredText(field(metadata, part), 'malformedConfigMap');
    return {
      ...decodePolicy(native, name),
      name,
      uid: text('uid'),
    };
  };
  const fieldSelector = `metadata.name=${name}`;
  return createWatchable(
    gateway,
    { resource: CONFIG_MAPS, listKinds: ['ConfigMapList'], fieldSelector, decode },
    place,
  );
}
