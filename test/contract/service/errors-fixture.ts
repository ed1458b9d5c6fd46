import { beforeAll } from 'vitest';
import type { SecretJson } from '../../harness/answers.ts';
import { openNamespaceFixture, type NamespaceFixture } from '../secrets/namespace-fixture.ts';

/** A namespace with a Secret `live`; to be used within tests only. */
export function openErrorsFixture(): { readonly here: NamespaceFixture; readonly secret: SecretJson } {
  const here = openNamespaceFixture();
  const secret = {} as SecretJson;
  beforeAll(async () => {
    Object.assign(secret, await here.secrets.create('live', { data: { a: '1' } }));
  });
  return { here, secret };
}
