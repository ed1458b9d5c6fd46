import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../../hack/dev-idp/accounts.ts';
import { PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { followLogin } from '../../../hack/sign-in-over-http.ts';
import { builtCommand } from '../../harness/built-command.ts';
import { freePort } from '../../harness/free-port.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';

const DOCTOR = builtCommand('doctor');

const TIMEOUT_MS = 20_000;

export interface Doctor {
  /** The address that it wants to have opened. */
  address(): Promise<URL>;
  /** Its exit code and everything that it printed. */
  ended(): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** A provider that takes `redirectUri`, and doctors that use it; to be used within tests only. */
interface DoctorFixture {
  readonly redirectUri: string;
  readonly idp: DevIdp;
  start(args?: readonly string[], environment?: Readonly<Record<string, string>>): Doctor;
  signIn(doctor: Doctor, account: DemoAccount, fetch?: typeof globalThis.fetch): Promise<URL>;
}

export function openDoctorFixture(): DoctorFixture {
  let redirectUri: string;
  let idp: DevIdp;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    redirectUri = `http://localhost:${await freePort()}/api/auth/callback`;
    idp = await startDevIdp({ port: 0, redirectUris: [redirectUri] });
  });
  afterAll(() => idp.close());
  afterEach(() => {
    for (const child of running) child.kill();
    running.clear();
  });

  return {
    get redirectUri() {
      return redirectUri;
    },
    get idp() {
      return idp;
    },
    start(args = ['--login', '--redirect-uri', redirectUri], environment = {}) {
      const { child, doctor } = startDoctor(args, { OIDC_ISSUER: idp.issuer, ...environment });
      running.add(child);
      return doctor;
    },
    async signIn(doctor, { email, password }, fetch = globalThis.fetch) {
      const isEnd = (url: URL): boolean => url.href.startsWith(redirectUri);
      return followLogin({ start: await doctor.address(), account: email, password, isEnd, fetch });
    },
  };
}

function startDoctor(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const env = {
    PATH: process.env['PATH'],
    OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
    OIDC_ALLOW_HTTP: 'true',
    SESSION_SECRET: TEST_SESSION_SECRET,
    ...environment,
  };
  const child = spawn(process.execPath, [DOCTOR, ...args], { env, timeout: TIMEOUT_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  const addressIn = (): string | undefined => /^(http\S+\/auth\?\S+)\n/m.exec(output)?.[1];
  const doctor: Doctor = {
    address: async () => {
      while (addressIn() === undefined && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child.stdout, 'data'), closed]);
      }
      const address = addressIn();
      if (address === undefined) throw new Error(`the doctor named no address: ${output}`);
      return new URL(address);
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, output };
    },
  };
  return { child, doctor };
}

export const account = (email: string): DemoAccount => {
  const found = DEMO_ACCOUNTS.find((candidate) => candidate.email === email);
  if (found === undefined) throw new Error('no such account');
  return found;
};
