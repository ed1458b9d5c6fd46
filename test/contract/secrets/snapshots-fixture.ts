import { openNamespaceFixture } from './namespace-fixture.ts';
import { annotation, PREFIX } from '../../harness/annotation.ts';

export const KIND = annotation('kind');

export const here = openNamespaceFixture();

export const { freshName, native } = here;

export const uidOf = async (name: string) => (await native(name)).metadata.uid ?? '';

export const historyOf = async (uid: string) =>
  here.stack.kube.listSecrets(here.namespace, `${KIND}=history,${PREFIX}/history-uid=${uid}`);
