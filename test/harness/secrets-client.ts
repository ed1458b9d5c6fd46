import { secretOf, versionsOf, type SecretJson } from './answers.ts';
import type { ApiClient } from './api-client.ts';
import { secretsPath } from './secret-paths.ts';

/** The Secrets of one namespace as one person reaches them. Its methods insist on success; `path` is for the rest. */
export interface SecretsClient {
  path(name?: string, rest?: string): string;
  deletePath(name: string, resourceVersion: string, more?: string): string;
  create(name: string, body?: object): Promise<SecretJson>;
  read(name: string): Promise<SecretJson>;
  /** Under the revision that is live now, unless `body` names another. */
  update(name: string, body?: object): Promise<SecretJson>;
  /** Creates a Secret and updates it until its history has `snapshots` entries. */
  createWithHistory(name: string, snapshots: number): Promise<SecretJson>;
  versions(name: string): Promise<readonly number[]>;
}

export function secretsOf(client: ApiClient, namespace: string): SecretsClient {
  const path: SecretsClient['path'] = (name, rest = '') => `${secretsPath(namespace, name)}${rest}`;
  const create: SecretsClient['create'] = async (name, body = { data: { key: 'value 1' } }) =>
    secretOf(await client.post(path(), { name, ...body }), 201);
  const read: SecretsClient['read'] = async (name) => secretOf(await client.get(path(name)), 200);
  const update: SecretsClient['update'] = async (name, body = {}) => {
    const { resourceVersion } = 'resourceVersion' in body ? body : await read(name);
    return secretOf(await client.put(path(name), { ...body, resourceVersion }), 200);
  };
  return {
    path,
    deletePath: (name, resourceVersion, more = '') =>
      path(name, `?resourceVersion=${encodeURIComponent(resourceVersion)}${more}`),
    create,
    read,
    update,
    async createWithHistory(name, snapshots) {
      let secret = await create(name);
      for (let version = 2; version <= snapshots + 1; version++) {
        const { resourceVersion } = secret;
        secret = await update(name, { resourceVersion, data: { key: `value ${version}` } });
      }
      return secret;
    },
    async versions(name) {
      const { versions } = versionsOf(await client.get(path(name, '/versions')));
      return versions.map(({ version }) => version);
    },
  };
}
