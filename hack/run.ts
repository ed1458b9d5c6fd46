import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { clusterInFolder } from './cluster-in-folder.ts';
import { createClusterClient } from './demo/cluster-client.ts';
import { ensureDemoChanges } from './demo/demo-changes.ts';
import { DEMO_NAMESPACES, ensureDemoData } from './demo/demo-data.ts';
import { createServiceAccount, putOwnRights } from './demo/service-account.ts';
import { DEMO_ACCOUNTS } from './dev-idp/accounts.ts';
import { PUBLIC_CLIENT_ID } from './dev-idp/configuration.ts';
import { isListening } from './is-listening.ts';
import { startProcess, waitUntilReady, type Running, type Start } from './processes.ts';

// make run: the service on an embedded development cluster and identity provider, with demo data.
// State (Secrets, the signing key) stays in DEV_FOLDER, so that a second run shows what the first one left.

const GIVEN_FOLDER = process.env['DEV_FOLDER'] ?? '';
const FOLDER = GIVEN_FOLDER === '' ? '.dev' : GIVEN_FOLDER;
const ADMIN_TOKEN = 'dev-token';
const READY_TIMEOUT_MS = 30_000;

/** The variable of each port, and the port without it. */
const PORTS = {
  service: ['PORT', 3000],
  operations: ['OPS_PORT', 9090],
  idp: ['DEV_IDP_PORT', 3001],
  cluster: ['DEV_CLUSTER_PORT', 3002],
} as const;
type Ports = Readonly<Record<keyof typeof PORTS, number>>;

function readPorts(): Ports {
  const ports = Object.entries(PORTS).map(([name, [variable, fallback]]) => [
    name,
    readPort(variable, fallback),
  ]);
  return Object.fromEntries(ports) as Ports;
}

function readPort(variable: string, fallback: number): number {
  const text = process.env[variable] ?? '';
  if (text === '') return fallback;
  if (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`${variable} must be a port number, 1 to 65535`);
}

/** Called before anything is started, so that a clash is one clear message and nothing has to be undone. */
async function requireFree(ports: Ports): Promise<void> {
  const taken: string[] = [];
  for (const name of Object.keys(PORTS) as (keyof Ports)[]) {
    if (!(await isListening(ports[name]))) continue;
    taken.push(`Port ${ports[name]} is in use. Choose another with ${PORTS[name][0]}=…`);
  }
  if (new Set(Object.values(ports)).size < Object.keys(PORTS).length) {
    taken.push('PORT, OPS_PORT, DEV_IDP_PORT and DEV_CLUSTER_PORT must differ');
  }
  if (taken.length > 0) throw new Error(taken.join('\n'));
}

async function requireUnusedFolder(): Promise<void> {
  const server = await clusterInFolder(FOLDER, ADMIN_TOKEN);
  if (server === undefined) return;
  throw new Error(`${FOLDER} is in use by the cluster at ${server}. Choose another folder with DEV_FOLDER=…`);
}

/** Kept between runs, so that sessions survive a restart; readable by this user alone. */
function sessionSecret(): string {
  const file = `${FOLDER}/session-secret`;
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function start(ports: Ports, launch: (process: Start) => Running): Promise<void> {
  const clusterUrl = `http://127.0.0.1:${ports.cluster}`;
  const serviceUrl = `http://localhost:${ports.service}`;
  const issuer = `http://localhost:${ports.idp}`;

  const cluster = launch({
    name: 'The development cluster',
    script: 'hack/dev-cluster/main.ts',
    args: [
      ...['--port', String(ports.cluster)],
      ...['--kubeconfig', `${FOLDER}/kubeconfig`],
      ...['--state', `${FOLDER}/cluster-state.json`],
    ],
    logFile: `${FOLDER}/cluster.log`,
  });
  const idp = launch({
    name: 'The development identity provider',
    script: 'hack/dev-idp/main.ts',
    args: ['--port', String(ports.idp), '--client-redirect', `${serviceUrl}/api/auth/callback`],
    logFile: `${FOLDER}/idp.log`,
  });
  await waitUntilReady(`${clusterUrl}/readyz`, cluster, READY_TIMEOUT_MS);
  const client = createClusterClient(clusterUrl, ADMIN_TOKEN);
  await ensureDemoData(client);
  const serviceKubeconfig = `${FOLDER}/service-kubeconfig`;
  writeFileSync(serviceKubeconfig, await createServiceAccount(client, clusterUrl), { mode: 0o600 });
  for (const namespace of DEMO_NAMESPACES) await putOwnRights(client, namespace);
  await waitUntilReady(`${issuer}/.well-known/openid-configuration`, idp, READY_TIMEOUT_MS);

  const service = launch({
    name: 'The service',
    script: 'dist/main.js',
    env: {
      PORT: String(ports.service),
      OPS_PORT: String(ports.operations),
      HOST: '127.0.0.1',
      KUBECONFIG: serviceKubeconfig,
      NEXT_PUBLIC_APP_URL: serviceUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
      OIDC_ALLOW_HTTP: 'true',
      SESSION_SECRET: sessionSecret(),
      SERVICE_ADMIN_GROUPS: 'platform-admins',
      SERVICE_NAMESPACES: process.env['SERVICE_NAMESPACES'] ?? DEMO_NAMESPACES.join(),
      SERVICE_RESTART_ENABLED: 'true',
    },
    logFile: `${FOLDER}/service.log`,
  });
  await waitUntilReady(`http://127.0.0.1:${ports.operations}/readyz`, service, READY_TIMEOUT_MS);
  await ensureDemoChanges(serviceUrl, client);
}

function welcome(ports: Ports): string {
  const url = `http://localhost:${ports.service}`;
  const elsewhere = ports.service === 3000 ? '' : ` --url ${url}`;
  const signIn = `hack/sign-in --account developer-a@example.com${elsewhere}`;
  const list = `${url}/api/namespaces/team-a/secrets`;
  return `
The service is ready at ${url}

  sign in       ${url}/api/auth/login
  operations    http://localhost:${ports.operations}/readyz and /metrics
  provider      http://localhost:${ports.idp}
  cluster       kubectl --kubeconfig ${FOLDER}/kubeconfig get secrets --all-namespaces
  logs          ${FOLDER}/service.log

Demo accounts
${DEMO_ACCOUNTS.map(({ email, password, groups }) => `  ${email.padEnd(26)}${password.padEnd(24)}${groups.join(', ') || 'no groups'}`).join('\n')}

Look at
  ${url}/namespaces/team-a/secrets/database/history   who changed what
  ${url}/expiring                                     what expires
  ${url}/namespaces/team-a/deleted                    what can be restored
  hack/demo/conflict${elsewhere}   a change by someone else, while you edit

Try, from this folder:
  cli/secretsctl login --server ${url}
  cli/secretsctl list -n team-a
  cli/secretsctl run -n team-a database -- env
  curl -s ${url}/api/config
  curl -s -H "Cookie: $(${signIn})" ${list}
  curl -s -H "Cookie: $(${signIn})" -H "Content-Type: application/json" -d "{\\"name\\": \\"from-curl-$(date +%s)\\", \\"data\\": {\\"greeting\\": \\"hello\\"}}" ${list}

Ctrl-C ends everything; the Secrets stay in ${FOLDER}.
`;
}

/** Resolves at the first signal; later ones change nothing, since everything is being stopped already. */
function firstSignal(): Promise<'signalled'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve('signalled');
      });
    }
  });
}

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  const running: Running[] = [];
  let stopping = false;
  const launch = (process: Start): Running => {
    // A start that is overtaken by Ctrl-C must not leave a process behind.
    if (stopping) throw new Error('Stopped while starting');
    const started = startProcess(process);
    running.push(started);
    return started;
  };
  const signalled = firstSignal();
  try {
    const ports = readPorts();
    await requireFree(ports);
    await requireUnusedFolder();
    if ((await Promise.race([start(ports, launch), signalled])) !== 'signalled') {
      console.log(welcome(ports));
      const why = await Promise.race([signalled, ...running.map(({ ended }) => ended)]);
      if (why !== 'signalled') throw new Error(`${why}; see the logs in ${FOLDER}`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'make run failed');
    process.exitCode = 1;
  } finally {
    stopping = true;
    await Promise.all(running.map((process) => process.stop()));
  }
}

await main();
