import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { startDevCluster, type DevCluster } from './dev-cluster.ts';
import { StateFileError } from './state/state-file.ts';

const USAGE = `usage: npm run dev:cluster -- [--port 3002] [--host 127.0.0.1] [--kubeconfig FILE] [--state FILE] [--token TOKEN] [--cert FILE --key FILE]`;

interface Arguments {
  readonly port: number;
  readonly host: string;
  readonly kubeconfig: string | undefined;
  readonly state: string | undefined;
  readonly token: string | undefined;
  /** Files in PEM. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

await main();

async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  if (given === undefined) exit(2, USAGE);
  try {
    const cluster = await start(given);
    if (given.kubeconfig !== undefined) writeKubeconfig(given.kubeconfig, cluster);
    console.log(`The development cluster listens on ${cluster.url}`);
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

/** The arguments, or undefined when they make no sense. */
function readArguments(args: readonly string[]): Arguments | undefined {
  try {
    const text = { type: 'string' } as const;
    const options = {
      port: text,
      host: text,
      kubeconfig: text,
      state: text,
      token: text,
      cert: text,
      key: text,
    };
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const port = Number(values.port ?? '3002');
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined;
    const { host = '127.0.0.1', kubeconfig, state, token, cert, key } = values;
    if ((cert === undefined) !== (key === undefined)) return undefined;
    return { port, host, kubeconfig, state, token, cert, key };
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
