import type { ApiClient } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

export const base64 = (text: string) => Buffer.from(text).toString('base64');

type Data = Readonly<Record<string, string>>;

export function openReadingFixture() {
  const here = openSecretsFixture();
  const { at } = here;
  const change = async (name: string, data: Data): Promise<void> => {
    const { secret } = (await here.admin.get(`/api${at(name)}`)).json as {
      secret: { resourceVersion: string };
    };
    await expectOk(here.admin.put(`/api${at(name)}`, { resourceVersion: secret.resourceVersion, data }));
  };
  return {
    here,
    at,
    change,
    /** A Secret with a version for each of the given states, the last one live. */
    withVersions: async (name: string, states: readonly Data[]): Promise<void> => {
      const [first, ...later] = states;
      await expectOk(here.admin.post(`/api/namespaces/${here.namespace}/secrets`, { name, data: first }));
      for (const data of later) await change(name, data);
    },
  };
}

async function expectOk(sent: ReturnType<ApiClient['put']>): Promise<void> {
  const { status, text } = await sent;
  if (status >= 300) throw new Error(text);
}
