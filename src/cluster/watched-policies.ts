import type { WatchedPlace } from '../access/namespace-scope.ts';
import type { StoredPolicy } from '../access/ports.ts';
import type { Watchable, WatchedObject } from '../informers/ports.ts';
import type { Gateway } from './gateway.ts';
import { field, requiredText } from './native-object.ts';
import { decodePolicy } from './policy-store.ts';
import { CONFIG_MAPS } from './resources.ts';
import { createWatchable } from './watchable.ts';

export type WatchedPolicy = StoredPolicy & WatchedObject;

/** Lists and watches the policy ConfigMaps. */
export function watchPolicies(
  gateway: Pick<Gateway, 'request' | 'stream'>,
  policyName: string,
  place: WatchedPlace,
): Watchable<WatchedPolicy> {
  const decode = (native: unknown): WatchedPolicy => {
    const metadata = field(native, 'metadata');
    const text = (name: string): string => requiredText(field(metadata, name), 'malformedConfigMap');
    return {
      ...decodePolicy(native, policyName),
      name: policyName,
      uid: text('uid'),
    };
  };
  const fieldSelector = `metadata.name=${policyName}`;
  return createWatchable(
    gateway,
    { resource: CONFIG_MAPS, listKinds: ['ConfigMapList'], fieldSelector, decode },
    place,
  );
}
