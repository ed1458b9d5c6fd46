import { expect } from 'vitest';
import { errorOf, secretOf, type SecretJson } from '../../harness/answers.ts';
import type { ApiAnswer } from '../../harness/api-client.ts';
import { secretsPath, stateOf } from '../../harness/secret-paths.ts';
import type { NamespaceFixture } from './namespace-fixture.ts';

/** In every value that is refused; never to be seen in an answer. */
export const PLANTED = 'planted-value';

/** What an administrator does who creates Secrets. */
export interface Creates {
  /** Under a fresh name, unless `fields` has one. */
  readonly create: (fields: object, namespace?: string) => Promise<ApiAnswer>;
  readonly created: (fields: object, namespace?: string) => Promise<SecretJson>;
  /** Sends raw JSON text, for what `JSON.stringify` would not write. */
  readonly sendJson: (body: string, namespace?: string) => Promise<ApiAnswer>;
  readonly annotationsOf: (name: string) => Promise<Readonly<Record<string, string>>>;
  /** The error of a creation that must not write anything. */
  readonly refused: (status: number, send: () => Promise<ApiAnswer>) => Promise<string>;
}

export function createsIn(here: NamespaceFixture): Creates {
  const create: Creates['create'] = (fields, namespace = here.namespace) =>
    here.stack.admin.post(secretsPath(namespace), { name: here.freshName(), ...fields });
  return {
    create,
    created: async (fields, namespace) => secretOf(await create(fields, namespace), 201),
    sendJson: (body, namespace = here.namespace) =>
      here.stack.admin.send('POST', secretsPath(namespace), {
        body,
        headers: { 'content-type': 'application/json' },
      }),
    annotationsOf: async (name) => (await here.native(name)).metadata.annotations ?? {},
    refused: async (status, send) => {
      const before = await stateOf(here.stack.kube, here.namespace);
      const error = errorOf(await send(), status);
      expect(error).not.toContain(PLANTED);
      expect(await stateOf(here.stack.kube, here.namespace), 'nothing was written').toEqual(before);
      return error;
    },
  };
}
