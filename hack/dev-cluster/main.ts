import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startDevCluster, type DevCluster } from './dev-cluster.ts';
import { StateFileError } from './state/state-file.ts';

const USAGE = `usage: npm run dev:cluster -- [--port 3002] [--host 127.0.0.1] [--kubeconfig FILE] [--state FILE] [--token TOKEN] [--cert FILE --key FILE]`;

type Arguments = NonNullable<ReturnType<typeof readArguments>>;

/** One step of every rollout, such as the replacement of a pod. */
const ROLLOUT_STEP_MS = 2_000;

await main();

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  if (given === undefined) exit(2, USAGE);
  try {
    const cluster = await start(given);
    if (given.kubeconfig !== undefined) writeKubeconfig(given.kubeconfig, cluster);
    console.log(`The development cluster listens on ${cluster.url}`);
    setInterval(cluster.stepRollouts, ROLLOUT_STEP_MS).unref();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(cluster));
  } catch (error) {
    exit(1, `dev-cluster: ${explain(error, given)}`);
  }
}

function start({ port, host, state, token, cert, key }: Arguments): Promise<DevCluster> {
  return startDevCluster({
    port,
    host,
    log: (line) => {
      console.error(`dev-cluster: ${line}`);
    },
    ...(state === undefined ? {} : { stateFile: state }),
    ...(token === undefined ? {} : { adminToken: token }),
    ...(cert === undefined || key === undefined
      ? {}
      : { tls: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } }),
  });
}

async function stop(cluster: DevCluster): Promise<void> {
  try {
    await cluster.close();
    process.exit(0);
  } catch (error) {
    exit(1, `dev-cluster: the state file could not be written (${codeOf(error)})`);
  }
}

/** The arguments, or undefined when they make no sense. The certificate and its key are files in PEM. */
function readArguments(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    const files = { kubeconfig: text, state: text, cert: text, key: text };
    const options = { port: text, host: text, token: text, ...files };
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const port = Number(values.port ?? '3002');
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined;
    if ((values.cert === undefined) !== (values.key === undefined)) return undefined;
    return { host: '127.0.0.1', ...values, port };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function writeKubeconfig(path: string, cluster: DevCluster): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, cluster.kubeconfig(), { mode: 0o600 });
}

function explain(error: unknown, { port, host }: Arguments): string {
  if (error instanceof StateFileError) return error.message;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use; stop what uses it, or choose another with --port`;
    case 'EACCES':
      return `port ${port} of ${host}, or a file named in the arguments, is not ours to use`;
    default:
      return error instanceof Error ? error.message : 'could not start';
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

function exit(code: number, message: string): never {
  console.error(message);
  process.exit(code);
}
