import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createNamespaceScope } from '../access/namespace-scope.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import { createGateway } from '../cluster/transport/gateway.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { createSecretStore } from '../cluster/stores/secret-store.ts';
import { readSettings, SettingsError } from '../config/settings.ts';
import { isServiceError } from '../errors/service-error.ts';
import { AnnotationCodec } from '../kube/annotation-codec.ts';
import {
  differences,
  inspectHistory,
  listReport,
  showReport,
  stateOfObject,
  verifyReport,
  type ObjectState,
} from '../history/history.ts';
import { readPages } from '../kube/read-pages.ts';
import { decodeSecret } from '../cluster/stores/secret-codec.ts';
import { spelledOut } from '../contract/printable.ts';

// Looks at the history of one Secret with the rights of a kubeconfig or, in a pod, of its account:
// `node dist/cmd/history.js list --namespace team-a --secret database`. Or compares a backup with the cluster, live Secrets
// and history, in the namespaces that the backup has. It writes nothing and prints no values. Exits with 1 when `verify`
// finds a problem, the backup differs or the requested object does not exist, with 2 when it could not look.

const USAGE = [
  'usage: node dist/cmd/history.js list    --namespace <namespace> --secret <name>',
  '       node dist/cmd/history.js show    --namespace <namespace> --secret <name> [--version <number>]',
  '       node dist/cmd/history.js verify  --namespace <namespace> --secret <name>',
  '       node dist/cmd/history.js compare --backup <file>',
  '',
  'The backup is what `kubectl get secrets -o json` has written, - for standard input.',
  "The cluster is found as kubectl finds it; SERVICE_ANNOTATION_PREFIX and SERVICE_NAMESPACES must be the service's.",
];
const BUDGET_MS = 120_000;

/** It is parsed as a whole, several times its size, perhaps in the pod of the service. */
const MAX_BACKUP_BYTES = 128 * 1024 * 1024;
const TOO_LARGE = 'the backup is larger than 128 MiB: compare one of a single namespace at a time';

/** Its message quotes nothing of the backup. */
class UnreadableBackup extends Error {}

const VERBS = ['list', 'show', 'verify', 'compare'] as const;

type Command = Exclude<NonNullable<ReturnType<typeof readArguments>>, { readonly verb: 'compare' }>;

function readArguments() {
  try {
    const text = { type: 'string' } as const;
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { namespace: text, secret: text, version: text, backup: text },
    });
    const { namespace, secret: name, backup } = values;
    const verb = VERBS.find((known) => known === positionals.join(' '));
    if (verb === 'compare') {
      const isAlone = Object.keys(values).length === 1;
      return backup === undefined || !isAlone ? undefined : { verb, backup };
    }
    const version = values.version === undefined ? undefined : Number(values.version);
    const isUsable = backup === undefined && (version === undefined || Number.isSafeInteger(version));
    if (verb === undefined || !isUsable || namespace === undefined || name === undefined) return undefined;
    return { verb, ref: { namespace, name }, version };
  } catch {
    return undefined; // An unknown option.
  }
}

/** Calls `work` with the Secrets of the cluster, and closes the connections. */
async function withStore<Result>(
  prefix: string,
  work: (store: ReturnType<typeof createSecretStore>, deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const credentials = loadCredentials({ kubeconfig: process.env['KUBECONFIG'], environment: process.env });
  const gateway = createGateway({ credentials, onCall: () => undefined });
  try {
    return await work(createSecretStore(gateway, new AnnotationCodec(prefix)), startDeadline(BUDGET_MS));
  } finally {
    await gateway.close();
  }
}

/** The objects of a backup. @throws {UnreadableBackup} */
async function readBackup(file: string, prefix: string): Promise<readonly ObjectState[]> {
  const codec = new AnnotationCodec(prefix);
  try {
    // A byte more shows that there are more.
    const stream = createReadStream(file, { end: MAX_BACKUP_BYTES, ...(file === '-' && { fd: 0 }) });
    const json = await text(stream);
    if (stream.bytesRead > MAX_BACKUP_BYTES) throw new UnreadableBackup(TOO_LARGE);
    const list = JSON.parse(json) as {
      readonly items: readonly { readonly kind?: unknown }[];
    };
    // The same file may have ConfigMaps.
    const secrets = list.items.filter(({ kind }) => kind === 'Secret');
    return secrets.map((native) => stateOfObject(decodeSecret(native, {}, codec), prefix));
  } catch (error) {
    if (error instanceof UnreadableBackup) throw error;
    throw new UnreadableBackup('the backup is no list of Secrets as kubectl writes it in JSON');
  }
}

/** Compares with all Secrets of the namespaces of the backup, those of each at one revision. */
async function compare(file: string, prefix: string): Promise<number> {
  const backup = await readBackup(file, prefix);
  const cluster: ObjectState[] = [];
  await withStore(prefix, async (store, deadline) => {
    for (const namespace of new Set(backup.map((state) => state.namespace))) {
      await readPages({
        subject: 'Secrets',
        listPage: (page) => store.listPage(namespace, { ...page, labelSelector: '' }, deadline),
        take: (secret) => cluster.push(stateOfObject(secret, prefix)),
      });
    }
  });
  const lines = differences(backup, cluster);
  const compared = `${backup.length} objects in the backup, ${cluster.length} in the cluster`;
  const count = lines.length === 0 ? 'no' : lines.length;
  return say([...lines, `${compared}: ${count} differences`], lines.length === 0 ? 0 : 1);
}

async function inspect({ verb, ref, version }: Command, prefix: string): Promise<number> {
  const inspection = await withStore(prefix, (store, deadline) => inspectHistory(store, ref, deadline));
  const { live, objects } = inspection;
  const path = `${ref.namespace}/${ref.name}`;
  // A misspelt name must not look like a valid history.
  if (live === undefined && objects.length === 0) {
    return say([`${path}: neither a live Secret nor any history of this name`], 1);
  }
  if (verb === 'list') return say(listReport(inspection), 0);
  if (verb === 'verify') {
    return say(verifyReport(inspection), objects.some(({ problems }) => problems.length > 0) ? 1 : 0);
  }
  const isKept = version === undefined || objects.some(({ metadata }) => metadata?.version === version);
  return isKept
    ? say(showReport(inspection, version), 0)
    : say([`${path}: no version ${version} in the history`], 1);
}

async function run(): Promise<number> {
  const command = readArguments();
  if (command === undefined) return say(USAGE, 2);
  try {
    const { access, secrets } = readSettings(process.env);
    if (command.verb === 'compare') return await compare(command.backup, secrets.annotationPrefix);
    const { namespace } = command.ref;
    if (!createNamespaceScope(access.namespaces).contains(namespace)) {
      // Reading outside the scope is allowed, and needed after a change of the scope.
      const effect = 'is outside SERVICE_NAMESPACES: the service leaves history there alone';
      process.stderr.write(`note: ${namespace} ${effect}\n`);
    }
    return await inspect(command, secrets.annotationPrefix);
  } catch (error) {
    return say([failureText(error)], 2);
  }
}

/** Messages of our own errors are safe to print. Of any other error only the class is printed. */
function failureText(error: unknown): string {
  if (error instanceof SettingsError || error instanceof UnreadableBackup) return error.message;
  if (isServiceError(error)) return `${error.message} (${error.reason ?? error.code})`;
  return `unexpected ${error instanceof Error ? error.constructor.name : typeof error}`;
}

/** Names come from the command line and from the cluster, so control characters are escaped for the terminal. */
function say(lines: readonly string[], exitCode: number): number {
  const stream = exitCode === 2 ? process.stderr : process.stdout;
  stream.write(`${lines.map(spelledOut).join('\n')}\n`);
  return exitCode;
}

process.exitCode = await run();
