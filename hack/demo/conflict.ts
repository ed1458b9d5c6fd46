import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { createClusterClient, type ClusterClient } from './cluster-client.ts';

// hack/demo/conflict [--url http://localhost:3000]

const GIVEN_FOLDER = process.env['DEV_FOLDER'] ?? '';
const FOLDER = GIVEN_FOLDER === '' ? path.join(import.meta.dirname, '../../.dev') : GIVEN_FOLDER;
const SECRET = '/namespaces/team-a/secrets/database';

/** The cluster of `make run`, as its administrator. */
function openCluster(): ClusterClient {
  const { clusters, users } = parse(readFileSync(path.join(FOLDER, 'kubeconfig'), 'utf8')) as {
    readonly clusters: readonly [{ readonly cluster: { readonly server: string } }];
    readonly users: readonly [{ readonly user: { readonly token: string } }];
  };
  return createClusterClient(clusters[0].cluster.server, users[0].user.token);
}

try {
  const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://localhost:3000' } } });
  const cluster = openCluster();
  const open = `Open ${values.url}${SECRET}/edit and change the password there, without saving it`;
  if (process.stdin.isTTY) {
    const terminal = createInterface(process.stdin, process.stdout);
    await terminal.question(`${open}; then press Enter here.`);
    terminal.close();
  } else console.log(`${open}.`);
  await cluster.merge(`/api/v1${SECRET}`, { stringData: { password: randomBytes(18).toString('base64') } });
  console.log(
    'Someone with kubectl has changed it, too. Save: the page shows both changes, key by key, and loses none.',
  );
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'ENOENT' ? `There is no cluster in ${FOLDER}: make run starts it` : message);
  process.exitCode = 1;
}
