import { readFileSync } from 'node:fs';
import type { ClusterObject } from '../../harness/kube-client.ts';
import { GOLDEN_NAMESPACE } from './golden-recipe.ts';

export type StateLine = readonly [resource: string, key: string, object: ClusterObject];

/** What a recording keeps of the state of a development cluster: the namespace with all in it, and the Leases. */
export function recordedState(stateFile: string): { revision: number; objects: readonly StateLine[] } {
  const [head, ...lines] = readFileSync(stateFile, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const objects = lines.filter((line): line is StateLine => Array.isArray(line));
  return {
    ...(head as { revision: number }),
    objects: objects.filter(
      ([resource, key]) =>
        resource.startsWith('leases') ||
        (resource === 'namespaces' ? key.endsWith(GOLDEN_NAMESPACE) : key.startsWith(`${GOLDEN_NAMESPACE}/`)),
    ),
  };
}
