import { annotation } from '../../harness/annotation.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

export const HISTORY = annotation('kind=history');

/** Deletions in a namespace that each test has to itself. */
export function openDeleteFixture() {
  const here = openNamespaceFixture('test');
  const snapshotNames = async (): Promise<readonly string[]> =>
    (await here.stack.kube.listSecrets(here.namespace, HISTORY)).map(({ metadata }) => metadata.name).sort();
  return { here, snapshotNames };
}
