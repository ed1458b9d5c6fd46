import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createNamespaceScope } from '../access/namespace-scope.ts';
import { startDeadline, type Deadline } from '../timing/deadline.ts';
import { createGateway } from '../cluster/transport/gateway.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { createSecretStore } from '../cluster/stores/secret-store.ts';
import { readSettings, SettingsError } from '../config/settings.ts';
import { isServiceError } from '../errors/service-error.ts';
import { createAnnotationCodec } from '../kube/annotation-codec.ts';
import {
  differences,
  inspectHistory,
  listReport,
  showReport,
  stateOfObject,
  verifyReport,
  type Inspection,
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

/** Its message quotes nothing of the backup. */
class UnreadableBackup extends Error {}

interface Backup {
  readonly items: readonly { readonly kind?: unknown }[];
}

interface Comparison {
  readonly verb: 'compare';
  readonly file: string;
}

interface Command {
  readonly verb: 'list' | 'show' | 'verify';
  readonly namespace: string;
  readonly secret: string;
  readonly version: number | undefined;
}

function parseCommand(args: readonly string[]): Command | Comparison | undefined {
  try {
    const text = { type: 'string' } as const;
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { namespace: text, secret: text, version: text, backup: text },
    });
    const { namespace, secret, backup } = values;
    if (positionals.join(' ') === 'compare') {
      const isAlone = Object.keys(values).length === 1;
      return backup === undefined || !isAlone ? undefined : { verb: 'compare', file: backup };
    }
    if (backup !== undefined) return undefined;
    const verb = (['list', 'show', 'verify'] as const).find((known) => known === positionals[0]);
    const version = values.version === undefined ? undefined : Number(values.version);
    const usable = positionals.length === 1 && (version === undefined || Number.isSafeInteger(version));
    if (verb === undefined || !usable || namespace === undefined || secret === undefined) return undefined;
    return { verb, namespace, secret, version };
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
    return await work(createSecretStore(gateway, createAnnotationCodec(prefix)), startDeadline(BUDGET_MS));
  } finally {
    await gateway.close();
  }
}

/** The objects of a backup. @throws {UnreadableBackup} */
function readBackup(file: string, prefix: string): readonly ObjectState[] {
  const codec = createAnnotationCodec(prefix);
  try {
    const list = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as Backup;
    // The same file may have ConfigMaps.
    const secrets = list.items.filter(({ kind }) => kind === 'Secret');
    return secrets.map((native) => stateOfObject(decodeSecret(native, {}, codec), prefix));
  } catch {
    throw new UnreadableBackup('the backup is no list of Secrets as kubectl writes it in JSON');
  }
}

/** All Secrets of the namespaces, those of each at one revision. */
function readCluster(namespaces: Iterable<string>, prefix: string): Promise<readonly ObjectState[]> {
  return withStore(prefix, async (store, deadline) => {
    const found: ObjectState[] = [];
    for (const namespace of namespaces) {
      await readPages({
        subject: 'Secrets',
        listPage: (page) => store.listPage(namespace, { ...page, labelSelector: '' }, deadline),
        take: (secret) => found.push(stateOfObject(secret, prefix)),
      });
    }
    return found;
  });
}

async function compare({ file }: Comparison, prefix: string): Promise<number> {
  const backup = readBackup(file, prefix);
  const cluster = await readCluster(new Set(backup.map(({ namespace }) => namespace)), prefix);
  const lines = differences(backup, cluster);
  const compared = `${backup.length} objects in the backup, ${cluster.length} in the cluster`;
  const count = lines.length === 0 ? 'no' : lines.length;
  return say([...lines, `${compared}: ${count} differences`], lines.length === 0 ? 0 : 1);
}

/** The requested object that does not exist: a misspelt name must not look like a valid history. */
function whatIsMissing({ live, objects }: Inspection, command: Command): string | undefined {
  const { namespace, secret, version } = command;
  if (live === undefined && objects.length === 0) {
    return `${namespace}/${secret}: neither a live Secret nor any history of this name`;
  }
  const isKept = objects.some(({ metadata }) => metadata?.version === version);
  if (command.verb !== 'show' || version === undefined || isKept) return undefined;
  return `${namespace}/${secret}: no version ${version} in the history`;
}

async function run(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command === undefined) return say(USAGE, 2);
  try {
    const { access, secrets } = readSettings(process.env);
    const { annotationPrefix } = secrets;
    if (command.verb === 'compare') return await compare(command, annotationPrefix);
    if (!createNamespaceScope(access.namespaces).contains(command.namespace)) noteOutOfScope(command);
    const ref = { namespace: command.namespace, name: command.secret };
    const inspection = await withStore(annotationPrefix, (store, deadline) =>
      inspectHistory(store, ref, deadline),
    );
    const missing = whatIsMissing(inspection, command);
    if (missing !== undefined) return say([missing], 1);
    switch (command.verb) {
      case 'list':
        return say(listReport(inspection), 0);
      case 'show':
        return say(showReport(inspection, command.version), 0);
      case 'verify':
        return say(
          verifyReport(inspection),
          inspection.objects.some(({ problems }) => problems.length > 0) ? 1 : 0,
        );
    }
  } catch (error) {
    return say([failureText(error)], 2);
  }
}

/** Reading outside the scope is allowed, and needed after a change of the scope. */
function noteOutOfScope({ namespace }: Command): void {
  process.stderr.write(
    `note: ${namespace} is outside SERVICE_NAMESPACES: the service leaves history there alone\n`,
  );
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

process.exitCode = await run(process.argv.slice(2));
