import { secretOf, versionOf, versionsOf, type SecretJson } from '../../harness/answers.ts';
import type { ApiAnswer, ApiClient } from '../../harness/api-client.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import type { NamespaceFixture } from './namespace-fixture.ts';

type Values = Parameters<typeof nativeSecret>[1];

/** What a reader of versions does, and an administrator who restores them. */
export interface Restores {
  readonly listVersions: (name: string) => Promise<ReturnType<typeof versionsOf>>;
  readonly readVersion: (name: string, version: number) => Promise<ReturnType<typeof versionOf>>;
  /** Under the revision of `secret`. */
  readonly restore: (
    secret: SecretJson,
    version: number,
    more?: object,
    client?: ApiClient,
  ) => Promise<ApiAnswer>;
  readonly restored: (secret: SecretJson, version: number) => Promise<SecretJson>;
  /** A Secret made without the service whose first version is archived and whose live values are `then`. */
  readonly seeded: (
    first: Values,
    then: Values | undefined,
    more?: Parameters<typeof nativeSecret>[2],
  ) => Promise<SecretJson>;
}

export function restoresIn(here: NamespaceFixture): Restores {
  const restore: Restores['restore'] = (
    { name, resourceVersion },
    version,
    more = {},
    client = here.stack.admin,
  ) => client.post(here.secrets.path(name, '/restore'), { resourceVersion, version, ...more });
  return {
    listVersions: async (name) =>
      versionsOf(await here.stack.admin.get(here.secrets.path(name, '/versions'))),
    readVersion: async (name, version) =>
      versionOf(await here.stack.admin.get(here.secrets.path(name, `/versions/${version}`))),
    restore,
    restored: async (secret, version) => secretOf(await restore(secret, version)),
    seeded: async (first, then, more = {}) => {
      const name = here.freshName();
      await here.stack.kube.createSecret(here.namespace, nativeSecret(name, first, more));
      const adopted = await here.secrets.update(name, { description: 'live' });
      if (then === undefined) return adopted;
      const { data } = nativeSecret(name, then) as { data: Record<string, string> };
      const current = await here.native(name);
      await here.stack.kube.replaceSecret(here.namespace, { ...current, data });
      return here.secrets.read(name);
    },
  };
}
