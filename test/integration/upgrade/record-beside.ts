import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { clientFor } from '../../harness/api-client.ts';
import { createKubeClient } from '../../harness/kube-client.ts';
import { secretsOf } from '../../harness/secrets-client.ts';
import { startService } from '../../harness/service-process.ts';
import { BESIDE_PEOPLE, BESIDE_POLICY, BESIDE_SECRETS } from './beside-recipe.ts';
import { GOLDEN_NAMESPACE as NAMESPACE } from './golden-recipe.ts';
import { recordedState } from './recorded-state.ts';

// Records what a released version makes of Secrets that a later build has given readers, writers, notes and bytes:
//   node test/integration/upgrade/record-beside.ts <that version's dist/main.js> <file>
// Both run on one cluster. Each Secret is created by this build, then updated by the version, by this build and by the version.

const [entry, file] = process.argv.slice(2);
if (entry === undefined || file === undefined) {
  console.error('usage: node test/integration/upgrade/record-beside.ts <dist/main.js> <file>');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'record-beside-'));
const stateFile = join(folder, 'state');
const kubeconfigFile = join(folder, 'kubeconfig');
const dev = await startDevCluster({ stateFile });
writeFileSync(kubeconfigFile, dev.kubeconfig(), { mode: 0o600 });
const kube = createKubeClient(kubeconfigFile);
await kube.createNamespace(NAMESPACE);
await kube.setPolicy(NAMESPACE, BESIDE_POLICY);
const env = { LOG_LEVEL: 'warn' };
const later = await startService({ kubeconfigFile, env });
const version = await startService({ kubeconfigFile, env, entry });
const asAdmin = async (url: string) => secretsOf(await clientFor(url, BESIDE_PEOPLE.admin), NAMESPACE);
const [ofLater, ofVersion] = [await asAdmin(later.url), await asAdmin(version.url)];
for (const [name, body] of Object.entries(BESIDE_SECRETS)) {
  // PUT replaces no bytes.
  const change = (text: string) => ('setBinary' in body ? { description: text } : { data: { value: text } });
  await ofLater.create(name, { data: { value: 'first' }, changeNote: 'first', ...body });
  await ofVersion.update(name, change('second'));
  await ofLater.update(name, { ...change('third'), changeNote: 'third' });
  await ofVersion.update(name, { description: 'by the version' });
}
/** Which Secrets the version shows each person, by list and by address. */
const shown: Record<string, { list: readonly string[]; read: readonly string[] }> = {};
for (const [who, person] of Object.entries(BESIDE_PEOPLE)) {
  const client = await clientFor(version.url, person);
  const secretsOfPerson = secretsOf(client, NAMESPACE);
  const names = Object.keys(BESIDE_SECRETS);
  const statuses = await Promise.all(
    names.map(async (name) => (await client.get(secretsOfPerson.path(name))).status),
  );
  const { json } = await client.get(secretsOfPerson.path());
  const { secrets = [] } = json as { secrets?: readonly { name: string }[] };
  shown[who] = {
    list: secrets.map(({ name }) => name),
    read: names.filter((_name, index) => statuses[index] === 200),
  };
}
await Promise.all([version.stop(), later.stop()]);
await kube.close();
await dev.close();
const { revision, objects } = recordedState(stateFile);
writeFileSync(file, `${JSON.stringify({ revision, objects, shown }, undefined, 1)}\n`);
rmSync(folder, { recursive: true });
console.log(`${objects.length} objects up to revision ${revision}`);
