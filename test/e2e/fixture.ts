import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { FixtureFile } from '../../hack/e2e/on-cluster.ts';
import { DEMO_ACCOUNTS, type DemoAccount } from '../../hack/dev-idp/accounts.ts';
import { signInOverHttp } from '../../hack/sign-in-over-http.ts';
import { listOf, type SecretJson } from '../harness/answers.ts';
import { clientWith, type ApiAnswer, type ApiClient } from '../harness/api-client.ts';
import { createKubeClient, type KubeClient } from '../harness/kube-client.ts';
import { secretsOf, type SecretsClient } from '../harness/secrets-client.ts';

/** The settings of the suite: a service that is running, and the cluster behind it, which may be any. */
export interface Fixture extends FixtureFile {
  /** What someone with kubectl does outside the service. */
  readonly kube: KubeClient;
  /** Signs in at the real provider, with the password. */
  signIn(email: string): Promise<ApiClient>;
  /** Creates a namespace of the run's own; the run removes it. */
  namespace(): Promise<string>;
  close(): Promise<void>;
}

/** A test's own namespace, and an administrator at work in it. */
export interface Here {
  readonly fixture: Fixture;
  readonly admin: ApiClient;
  readonly namespace: string;
  readonly secrets: SecretsClient;
}

export const ADMIN = 'admin@example.com';
export const DEVELOPER_A = 'developer-a@example.com';
export const DEVELOPER_B = 'developer-b@example.com';
export const GUEST = 'guest@example.com';

/** For what another process must do first: a watch, a Lease, rights that spread. */
export const WITHIN_MS = 30_000;

export function openFixture(): Fixture {
  const file = readFixture();
  const kube = createKubeClient(file.adminKubeconfig);
  return {
    ...file,
    kube,
    async signIn(email) {
      const { password } = accountOf(email);
      const cookie = await signInOverHttp({ serviceUrl: file.serviceUrl, account: email, password });
      return clientWith(file.serviceUrl, { cookie });
    },
    async namespace() {
      const name = `${file.run}-${randomBytes(4).toString('hex')}`;
      await kube.createNamespace(name);
      return name;
    },
    close: () => kube.close(),
  };
}

/** Gives each test of a file a namespace of its own; what is returned can be read within tests only. */
export function freshNamespaces(): Here {
  const here = {} as { -readonly [Part in keyof Here]: Here[Part] };
  beforeAll(async () => {
    here.fixture = openFixture();
    here.admin = await here.fixture.signIn(ADMIN);
  });
  afterAll(() => here.fixture.close());
  beforeEach(async () => {
    here.namespace = await here.fixture.namespace();
    here.secrets = secretsOf(here.admin, here.namespace);
  });
  return here;
}

/** What a list shows but for what clusters put into every namespace: tokens (before 1.24), pull secrets (OpenShift). */
export function secretsIn(list: ApiAnswer): readonly SecretJson[] {
  const ofCluster = ['kubernetes.io/service-account-token', 'kubernetes.io/dockercfg'];
  return listOf(list).secrets.filter(
    ({ type, managedByService }) => managedByService || !ofCluster.includes(type),
  );
}

function readFixture(): FixtureFile {
  const file = process.env['E2E_FIXTURE'] ?? '';
  if (file === '') throw new Error('test/e2e proves a service that is running: use `make e2e`');
  return JSON.parse(readFileSync(file, 'utf8')) as FixtureFile;
}

function accountOf(email: string): DemoAccount {
  const account = DEMO_ACCOUNTS.find((one) => one.email === email);
  if (account === undefined) throw new Error(`the provider has no ${email}`);
  return account;
}
