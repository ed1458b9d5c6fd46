import { expect } from 'vitest';
import { errorOf, secretOf, type SecretJson } from '../../harness/answers.ts';
import type { ApiAnswer } from '../../harness/api-client.ts';
import { nativeSecret, stateOf } from '../../harness/secret-paths.ts';
import type { NamespaceFixture } from './namespace-fixture.ts';

/** No answer may repeat it. */
export const PLANTED = 'planted-value';

/** What an administrator does who updates Secrets. */
export interface Updates {
  readonly create: (body?: object) => Promise<SecretJson>;
  /** Under the revision of `secret`, unless `body` names another. */
  readonly put: (secret: SecretJson, body: object) => Promise<ApiAnswer>;
  readonly updated: (secret: SecretJson, body: object) => Promise<SecretJson>;
  /** A Secret that was made without the service, as the service reads it. */
  readonly seeded: (
    values: Parameters<typeof nativeSecret>[1],
    more?: Parameters<typeof nativeSecret>[2],
  ) => Promise<SecretJson>;
  /** The error of an update that must not write anything. */
  readonly refused: (status: number, secret: SecretJson, body: object) => Promise<string>;
}

export function updatesIn(here: NamespaceFixture): Updates {
  const put: Updates['put'] = ({ name, resourceVersion }, body) =>
    here.stack.admin.put(here.secrets.path(name), { resourceVersion, ...body });
  return {
    put,
    create: (body = { data: { a: '1' } }) => here.secrets.create(here.freshName(), body),
    updated: async (secret, body) => secretOf(await put(secret, body)),
    seeded: async (values, more) => {
      const name = here.freshName();
      await here.stack.kube.createSecret(here.namespace, nativeSecret(name, values, more));
      return here.secrets.read(name);
    },
    refused: async (status, secret, body) => {
      const before = await stateOf(here.stack.kube, here.namespace);
      const error = errorOf(await put(secret, body), status);
      expect(error).not.toContain(PLANTED);
      const after = await stateOf(here.stack.kube, here.namespace);
      expect(after, 'neither a snapshot nor the Secret was written').toEqual(before);
      return error;
    },
  };
}
