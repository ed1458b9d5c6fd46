import type { SecretsClient } from '../../harness/secrets-client.ts';
import { jsonOf, secretOf } from '../../harness/answers.ts';
import type { ApiClient } from '../../harness/api-client.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import type { KubeClient } from '../../harness/kube-client.ts';
import { usingEnv, type WorkloadsClient } from '../../harness/workloads.ts';

/** What stands in a namespace before a request of a route is held. */
export interface Prepared {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

export interface Preparation {
  readonly admin: ApiClient;
  readonly kube: KubeClient;
  readonly namespace: string;
  readonly workloads: WorkloadsClient;
  readonly secrets: SecretsClient;
}

export const NAME = 'target';
/** In every value, stored and sent. */
export const PLANTED = 'planted-value';

/** Each route that takes a body, by its operation: what makes a request of it succeed. A new route needs a new entry. */
export const ROUTES: Readonly<Record<string, (preparation: Preparation) => Promise<Prepared>>> = {
  createSecret: ({ namespace }) =>
    Promise.resolve({
      method: 'POST',
      path: secretsPath(namespace),
      body: { name: 'created', data: { key: PLANTED } },
    }),
  updateSecret: async ({ kube, namespace }) => {
    const created = await kube.createSecret(namespace, nativeSecret(NAME, { key: PLANTED }));
    const { resourceVersion } = created.metadata;
    const path = secretsPath(namespace, NAME);
    return { method: 'PUT', path, body: { resourceVersion, description: PLANTED } };
  },
  patchSecret: async ({ kube, namespace }) => {
    const created = await kube.createSecret(namespace, nativeSecret(NAME, { key: PLANTED }));
    const { resourceVersion } = created.metadata;
    const path = secretsPath(namespace, NAME);
    return { method: 'PATCH', path, body: { resourceVersion, set: { key: `${PLANTED}-2` } } };
  },
  restoreVersion: async ({ admin, namespace }) => {
    const path = secretsPath(namespace, NAME);
    const created = await admin.post(secretsPath(namespace), { name: NAME, data: { key: PLANTED } });
    const { resourceVersion: first } = secretOf(created, 201);
    const changed = await admin.put(path, { resourceVersion: first, data: { key: `${PLANTED}-2` } });
    const { resourceVersion } = secretOf(changed);
    return { method: 'POST', path: `${path}/restore`, body: { resourceVersion, version: 1 } };
  },
  restartConsumers: async ({ kube, namespace, workloads }) => {
    await kube.createSecret(namespace, nativeSecret(NAME, { key: PLANTED }));
    await workloads.create('Deployment', 'uses-it', usingEnv(NAME));
    const body = { consumers: [{ kind: 'Deployment', name: 'uses-it' }] };
    return { method: 'POST', path: secretsPath(namespace, NAME, 'restart'), body };
  },
  restoreDeletedSecret: async ({ admin, namespace }) => {
    const created = await admin.post(secretsPath(namespace), { name: NAME, data: { key: PLANTED } });
    const { resourceVersion } = secretOf(created, 201);
    const query = new URLSearchParams({ resourceVersion, keepHistory: 'true', archive: 'true' });
    const deleted = await admin.delete(`${secretsPath(namespace, NAME)}?${query.toString()}`);
    const { uid } = jsonOf(deleted, 200) as { uid: string };
    const path = `/api/namespaces/${namespace}/deleted/${uid}/restore`;
    return { method: 'POST', path, body: { name: 'restored' } };
  },
};
