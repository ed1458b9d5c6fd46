import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { listOf } from '../../harness/answers.ts';
import { freePort } from '../../harness/free-port.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { becomes, openReplicas } from '../replicas.ts';

const folder = mkdtempSync(join(tmpdir(), 'service-test-'));
const [stateFile, backup] = [join(folder, 'state'), join(folder, 'backup')];
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true });
});

it('a cluster whose storage is restored from a backup is listed again, and nothing later is shown', async () => {
  const port = await freePort();
  const fixture = await openReplicas({ port, stateFile });
  const clusters: DevCluster[] = [fixture.dev];
  closing.push(
    () => fixture.close(),
    () => clusters.at(-1)?.close() ?? Promise.resolve(),
  );
  const replica = await fixture.replica();
  const namespace = await fixture.namespace();
  const shown = async () => {
    const answer = await replica.admin.get(secretsPath(namespace));
    const names = answer.status === 200 ? listOf(answer).secrets.map(({ name }) => name) : answer.status;
    return [answer.headers.get('x-list-source'), names];
  };
  await fixture.kube.createSecret(namespace, nativeSecret('before', { key: 'value' }));
  await becomes(shown, ['cache', ['before']], 40_000);
  await fixture.dev.close();
  copyFileSync(stateFile, backup);

  const later = await startDevCluster({ port, stateFile });
  clusters.push(later);
  await fixture.kube.createSecret(namespace, nativeSecret('later', { key: 'value' }));
  await becomes(shown, ['cache', ['before', 'later']], 40_000);
  await later.close();

  copyFileSync(backup, stateFile);
  clusters.push(await startDevCluster({ port, stateFile }));
  await becomes(shown, ['cache', ['before']], 40_000);
  await fixture.kube.createSecret(namespace, nativeSecret('after', { key: 'value' }));
  await becomes(shown, ['cache', ['after', 'before']], 40_000);
  expect(await replica.metrics()).toContainEqual('service_storage_restores_total 1');
});
