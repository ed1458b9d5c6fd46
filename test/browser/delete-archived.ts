import type { ApiClient } from '../harness/api-client.ts';

/** Deletes a Secret through the service so that it can be restored. */
export async function deleteArchived(client: ApiClient, namespace: string, name: string): Promise<void> {
  const path = `/api/namespaces/${namespace}/secrets/${name}`;
  const { secret } = (await client.get(path)).json as { secret: { resourceVersion: string } };
  const query = `?resourceVersion=${secret.resourceVersion}&keepHistory=true&archive=true`;
  const { status, text } = await client.delete(`${path}${query}`);
  if (status !== 200) throw new Error(text);
}
