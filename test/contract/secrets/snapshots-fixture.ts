import { openNamespaceFixture } from './namespace-fixture.ts';

export const KIND = 'service.io/kind';

export const here = openNamespaceFixture();

export const { freshName, native } = here;

export const uidOf = async (name: string) => (await native(name)).metadata.uid ?? '';

export const historyOf = async (uid: string) =>
  here.stack.kube.listSecrets(here.namespace, `${KIND}=history,service.io/history-uid=${uid}`);
