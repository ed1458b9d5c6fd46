import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation, PREFIX } from '../../harness/annotation.ts';

export const KIND = annotation('kind');

export function openSnapshotsFixture() {
  const here = openNamespaceFixture();
  return {
    here,
    uidOf: async (name: string) => (await here.native(name)).metadata.uid ?? '',
    historyOf: (uid: string) =>
      here.stack.kube.listSecrets(here.namespace, `${KIND}=history,${PREFIX}/history-uid=${uid}`),
  };
}
