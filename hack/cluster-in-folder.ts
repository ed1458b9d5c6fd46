import { existsSync, readFileSync } from 'node:fs';

/**
 * The address of a development cluster that is running with the state in this folder; undefined if there is none. Two of them
 * would overwrite each other's state. Whatever else has the port by now, such as the cluster of another folder, has
 * another namespace `default` than the state.
 */
export async function clusterInFolder(folder: string, token: string): Promise<string | undefined> {
  const [kubeconfig, state] = [`${folder}/kubeconfig`, `${folder}/cluster-state.json`];
  if (!existsSync(kubeconfig) || !existsSync(state)) return undefined;
  const server = /server: "?(http:\/\/127\.0\.0\.1:\d{1,5})/.exec(readFileSync(kubeconfig, 'utf8'))?.[1];
  if (server === undefined) return undefined;
  const uid = await uidOfDefault(server, token);
  return uid !== undefined && readFileSync(state, 'utf8').includes(`"uid":"${uid}"`) ? server : undefined;
}

async function uidOfDefault(server: string, token: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${server}/api/v1/namespaces/default`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(2_000),
    });
    const { metadata } = (await response.json()) as { readonly metadata?: { readonly uid?: string } };
    return metadata?.uid;
  } catch {
    return undefined; // Nothing is listening there, or nothing that is a cluster.
  }
}
