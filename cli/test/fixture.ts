import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { SessionUser } from '../../src/access/actor.ts';
import { DEVELOPER_A, sessionCookie, type ApiClient } from '../../test/harness/api-client.ts';
import { startInProcessStack, type InProcessStack } from '../../test/harness/in-process-stack.ts';
import { TEST_SESSION_SECRET } from '../../test/harness/service-process.ts';
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../../test/hostile-idp/start-token-issuer.ts';
import { runInProcess } from './run-in-process.ts';
import { startCommand, type CommandRun, type EndedCommand } from './start-command.ts';

export let stack: InProcessStack;
export let issuer: TokenIssuer;
/** A namespace of each test, which the group team-a and the machine `ci` of project 7 may manage. */
export let namespace: string;
/** The API as the same person, for what a test prepares and looks up. */
export let api: ApiClient;
/** A folder that is removed afterwards. */
export let folder: string;
/** What every command has: the service, the namespace, and a home of its own. */
export let environment: Readonly<Record<string, string>>;
/** Storage in memory of the tests of a file alone. */
export let memory: string;
let personHome: string;

/** Starts the service for the tests of a file, signs in a person, and makes a namespace for each test. */
export function openCommandFixture(): void {
  const root = mkdtempSync(join(tmpdir(), 'cli-test-'));
  beforeAll(async () => {
    issuer = await startTokenIssuer();
    const trusted = { name: 'ci', issuer: issuer.issuer, audience: AUDIENCE };
    stack = await startInProcessStack({
      env: {
        SERVICE_RESTART_ENABLED: 'true',
        OIDC_ISSUER: 'http://localhost:9',
        OIDC_CLIENT_ID: 'web',
        OIDC_ALLOW_HTTP: 'true',
        SERVICE_TRUSTED_ISSUERS: JSON.stringify([{ ...trusted, requiredClaims: { project_id: ['7'] } }]),
      },
    });
    api = await stack.client(DEVELOPER_A);
    personHome = mkdtempSync(join(root, 'person-'));
    memory = mkdtempSync('/dev/shm/cli-test-');
    environment = { SECRETSCTL_SERVER: stack.url, XDG_STATE_HOME: personHome };
    expect((await login(DEVELOPER_A)).exitCode).toBe(0);
  }, 60_000);
  afterAll(async () => {
    await stack.close();
    await issuer.close();
    for (const made of [root, memory]) rmSync(made, { recursive: true });
  });
  beforeEach(async () => {
    namespace = await stack.namespace();
    folder = mkdtempSync(join(root, 'test-'));
    const machines = [
      { name: 'ci', issuer: 'ci', claims: { project_id: '7' }, level: 'manage', secrets: '*' },
    ];
    await stack.kube.setPolicy(namespace, {
      allowedGroups: '["team-a"]',
      machines: JSON.stringify(machines),
    });
    environment = {
      SECRETSCTL_SERVER: stack.url,
      SECRETSCTL_NAMESPACE: namespace,
      XDG_STATE_HOME: personHome,
      HOME: folder,
      XDG_RUNTIME_DIR: memory,
    };
  });
}

/** Signs in with a code, as someone without a browser beside the terminal does. */
export async function login(
  user: SessionUser,
  env: Readonly<Record<string, string>> = {},
): Promise<EndedCommand> {
  const started = start(['login', '--no-browser'], { environment: env });
  const address = await started.printed(/http:\S+\/cli\?\S+/);
  started.type(await codeFor(user, address));
  return started.ended();
}

/** What the page gives to whoever is signed in. */
export async function codeFor(user: SessionUser, address: string): Promise<string> {
  const challenge = new URL(address).searchParams.get('challenge') ?? '';
  const response = await fetch(`${stack.url}/api/auth/code?code_challenge=${challenge}`, {
    method: 'POST',
    headers: { cookie: await sessionCookie(user, TEST_SESSION_SECRET) },
  });
  return ((await response.json()) as { readonly code: string }).code;
}

export type CommandOptions = Partial<Pick<CommandRun, 'environment' | 'input'>>;

/** As the person who signed in. */
export function secretsctl(args: readonly string[], options: CommandOptions = {}): Promise<EndedCommand> {
  return runInProcess(args, withDefaults(options));
}

/** The same as a process of its own. */
export function start(args: readonly string[], options: Partial<CommandRun> = {}) {
  return startCommand(args, withDefaults(options));
}

const withDefaults = <Options extends Partial<CommandRun>>(options: Options) => ({
  ...options,
  environment: { ...environment, ...options.environment },
});

/** As the job of project 7, which has a token in a file and no one who signed in. */
export function asMachine(args: readonly string[], options: CommandOptions = {}): Promise<EndedCommand> {
  return secretsctl(args, { ...options, environment: { ...machineEnvironment(), ...options.environment } });
}

export function machineEnvironment(): Readonly<Record<string, string>> {
  const token = file('token', `${issuer.token()}\n`);
  return { XDG_STATE_HOME: join(folder, 'state'), SECRETSCTL_TOKEN_FILE: token };
}

/** What is stored now, byte for byte, by key. */
export async function stored(name: string): Promise<Readonly<Record<string, string>>> {
  const secret = await stack.kube.getSecret(namespace, name);
  return (secret as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data ?? {};
}

/** A file in the folder of the test. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o700 });
  return path;
}
