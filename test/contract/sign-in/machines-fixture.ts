import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import { annotation } from '../../harness/annotation.ts';
import { clientWith, type ApiClient, type ApiAnswer } from '../../harness/api-client.ts';
import { eventually } from '../../harness/eventually.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';

export let issuer: TokenIssuer;
export let stack: InProcessStack;
export let namespace: string;
/** The token of the job of project 7. */
export let job: ApiClient;

export const OWN_NAMESPACE = 'secrets-management';
export const BINDING = {
  name: 'reader',
  issuer: 'ci',
  claims: { project_id: '7' },
  level: 'read',
  secrets: ['bound'],
};

const settings = (url: string): Readonly<Record<string, string>> => ({
  OIDC_ISSUER: 'http://localhost:9',
  OIDC_CLIENT_ID: 'web',
  OIDC_ALLOW_HTTP: 'true',
  SERVICE_TRUSTED_ISSUERS: JSON.stringify([
    { name: 'ci', issuer: url, audience: AUDIENCE, requiredClaims: { project_id: ['7', '8'] } },
  ]),
});

export const withToken = (url: string, token: string): ApiClient =>
  clientWith(url, { authorization: `Bearer ${token}` });

export const secrets = (): string => `/api/namespaces/${namespace}/secrets`;
export const bind = (...bindings: readonly object[]): Promise<void> =>
  stack.kube.setPolicy(namespace, { machines: JSON.stringify(bindings) });
export const becomes = (status: number, path = `${secrets()}/bound`, client = job): Promise<ApiAnswer> =>
  eventually(async () => {
    const answer = await client.get(path);
    // The challenge belongs to 401: another token does not help against a missing binding.
    expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([status, status === 401]);
    return answer;
  });
export const names = (answer: ApiAnswer): readonly string[] =>
  (answer.json as { secrets: readonly { name: string }[] }).secrets.map(({ name }) => name);

/** Starts the service and its issuer for the tests of a file, with a namespace for each test. */
export function openMachinesFixture(): void {
  beforeAll(async () => {
    issuer = await startTokenIssuer();
    stack = await startInProcessStack({ env: { ...settings(issuer.issuer), POD_NAMESPACE: OWN_NAMESPACE } });
    await stack.kube.createNamespace(OWN_NAMESPACE).catch(() => undefined);
  }, 60_000);
  afterAll(async () => {
    await stack.close();
    await issuer.close();
  });

  afterEach(() => stack.kube.removePolicy(namespace));

  beforeEach(async () => {
    issuer.behave({});
    job = withToken(stack.url, issuer.token());
    namespace = await stack.namespace();
    await Promise.all([
      stack.kube.createSecret(namespace, nativeSecret('bound')),
      stack.kube.createSecret(namespace, nativeSecret('other')),
      stack.kube.createSecret(
        namespace,
        nativeSecret(
          'ruled',
          {},
          { metadata: { annotations: { [annotation('allowed-groups')]: 'team-a' } } },
        ),
      ),
    ]);
  });
}
