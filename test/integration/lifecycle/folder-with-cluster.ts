import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';

/** A folder of the tests of a file, with the kubeconfig of a development cluster of theirs. */
export type FolderWithCluster = Awaited<ReturnType<typeof openFolderWithCluster>>;

export async function openFolderWithCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  const dev = await startDevCluster({ port: 0 });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    folder,
    dev,
    kubeconfigFile: file('kubeconfig', dev.kubeconfig()),
    /** Writes a file, for its owner alone; returns its path. */
    file,
    async close() {
      await dev.close();
      rmSync(folder, { recursive: true });
    },
  };
}
