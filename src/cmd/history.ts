import { parseArgs } from 'node:util';
import { createNamespaceScope } from '../access/namespace-scope.ts';
import { startDeadline } from '../timing/deadline.ts';
import { createGateway } from '../cluster/transport/gateway.ts';
import { loadCredentials } from '../cluster/credentials/credentials.ts';
import { watchSecretMetadata } from '../cluster/stores/secret-metadata.ts';
import { createSecretStore } from '../cluster/stores/secret-store.ts';
import { readSettings, SettingsError } from '../config/settings.ts';
import { isServiceError } from '../errors/service-error.ts';
import { createAnnotationCodec } from '../kube/annotation-codec.ts';
import { inspectHistory, listReport, showReport, verifyReport, type Inspection } from '../history/history.ts';
import type { SecretMetadata } from '../kube/secret.ts';
import { listAll } from '../informers/list-all.ts';
import { spelledOut } from '../contract/printable.ts';

// Looks at the history of one Secret with the rights of a kubeconfig or, in a pod, of its account:
// `node dist/cmd/history.js list --namespace team-a --secret database`. It writes nothing and prints no values.
// Exits with 1 when `verify` finds a problem or the requested object does not exist, with 2 when it could not look.

const USAGE = [
  'usage: node dist/cmd/history.js list   --namespace <namespace> --secret <name>',
  '       node dist/cmd/history.js show   --namespace <namespace> --secret <name> [--version <number>]',
  '       node dist/cmd/history.js verify --namespace <namespace> --secret <name>',
  '',
  "The cluster is found as kubectl finds it; SERVICE_ANNOTATION_PREFIX and SERVICE_NAMESPACES must be the service's.",
];
const BUDGET_MS = 120_000;

interface Command {
  readonly verb: 'list' | 'show' | 'verify';
  readonly namespace: string;
  readonly secret: string;
  readonly version: number | undefined;
}

function parseCommand(args: readonly string[]): Command | undefined {
  try {
    const text = { type: 'string' } as const;
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { namespace: text, secret: text, version: text },
    });
    const { namespace, secret } = values;
    const verb = (['list', 'show', 'verify'] as const).find((known) => known === positionals[0]);
    const version = values.version === undefined ? undefined : Number(values.version);
    const usable = positionals.length === 1 && (version === undefined || Number.isSafeInteger(version));
    if (verb === undefined || !usable || namespace === undefined || secret === undefined) return undefined;
    return { verb, namespace, secret, version };
  } catch {
    return undefined; // An unknown option.
  }
}

async function inspect({ namespace, secret }: Command, prefix: string): Promise<Inspection> {
  const credentials = loadCredentials({ kubeconfig: process.env['KUBECONFIG'], environment: process.env });
  const gateway = createGateway({ credentials, onCall: () => undefined });
  const codec = createAnnotationCodec(prefix);
  const source = {
    list: async () => {
      const found: SecretMetadata[] = [];
      const page = watchSecretMetadata(gateway, codec, { namespace });
      await listAll(page, (object) => found.push(object), new AbortController().signal);
      return found;
    },
    secrets: createSecretStore(gateway, codec),
  };
  try {
    const ref = { namespace, name: secret };
    return await inspectHistory(source, ref, startDeadline(BUDGET_MS));
  } finally {
    await gateway.close();
  }
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
    if (!createNamespaceScope(access.namespaces).contains(command.namespace)) noteOutOfScope(command);
    const inspection = await inspect(command, annotationPrefix);
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
  if (error instanceof SettingsError) return error.message;
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
