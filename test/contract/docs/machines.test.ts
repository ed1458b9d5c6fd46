import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as yaml from 'yaml';
import { createClusterClient, type ClusterClient } from '../../../hack/demo/cluster-client.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { startTokenIssuer, type TokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import { debianProgram } from '../../harness/debian-program.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';
import { grantTokenReviews, startPod } from '../../harness/pod-token.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';

// Runs what docs/machines.md says, with issuers that make such tokens. Only addresses are replaced.

const SERVICE = 'https://secrets.example.com';
/** No text: whatever comes back must be these bytes. */
const PASSWORD = Buffer.from([0, 10, 13, 128, 255, 39, 34]);

const sections = new Map(
  readDocument('machines.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text]),
);
function block(section: string, fence: string, index = 0): string {
  const text = sections.get(section) ?? '';
  const found = [...text.matchAll(new RegExp(`^\`\`\`${fence}\n(.*?)^\`\`\``, 'gms'))][index]?.[1];
  if (found === undefined) throw new Error(`docs/machines.md: no ${fence} ${index} in ${section}`);
  return found;
}

interface Trust {
  readonly name: string;
  readonly issuer: string;
}
const trustOf = (section: string): Trust => JSON.parse(block(section, 'json')) as Trust;
const bindingOf = (section: string): object => JSON.parse(block(section, 'json', 1)) as object;

const GITHUB = 'GitHub Actions';
const GITLAB = 'GitLab';
const POD = 'A pod, or a hook of Argo CD or Flux';
const ROTATION = 'Rotation';
const OTHER_CLUSTER = 'External Secrets in another cluster';

let github: TokenIssuer;
let gitlab: TokenIssuer;
let shop: TokenIssuer;
let stack: InProcessStack;
let cluster: ClusterClient;
let folder: string;

const common = { aud: SERVICE };
/** As GitHub's documentation of OpenID Connect lists them. */
const GITHUB_CLAIMS = {
  ...common,
  sub: 'repo:octo-org/octo-repo:ref:refs/heads/main',
  repository: 'octo-org/octo-repo',
  repository_id: '1296269',
  repository_owner: 'octo-org',
  repository_owner_id: '583231',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  run_id: '5550001',
};
/** As GitLab's documentation of ID tokens lists them. */
const GITLAB_CLAIMS = {
  ...common,
  sub: 'project_path:team/app:ref_type:branch:ref:main',
  namespace_id: '72',
  project_id: '20',
  job_id: '302',
  ref: 'main',
  ref_protected: 'true',
};
const SHOP_CLAIMS = { ...common, sub: 'system:serviceaccount:shop:external-secrets' };

beforeAll(async () => {
  [github, gitlab, shop] = await Promise.all([startTokenIssuer(), startTokenIssuer(), startTokenIssuer()]);
  const trusted = [
    { ...trustOf(GITHUB), issuer: github.issuer },
    { ...trustOf(GITLAB), issuer: gitlab.issuer },
    trustOf(POD),
    { name: 'shop', issuer: shop.issuer, audience: SERVICE, requiredClaims: { sub: SHOP_CLAIMS.sub } },
  ];
  stack = await startInProcessStack({
    env: {
      OIDC_ISSUER: 'http://localhost:9',
      OIDC_CLIENT_ID: 'web',
      OIDC_ALLOW_HTTP: 'true',
      SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
    },
  });
  cluster = createClusterClient(stack.dev.url, stack.dev.adminToken);
  await grantTokenReviews(cluster);
  folder = mkdtempSync(path.join(tmpdir(), 'machines-'));
  await stack.kube.createNamespace('team-a');
  await stack.kube.createSecret('team-a', nativeSecret('database', { password: PASSWORD }));
  await stack.kube.setPolicy('team-a', {
    machines: JSON.stringify([
      bindingOf(GITHUB),
      bindingOf(GITLAB),
      bindingOf(POD),
      {
        name: 'shop',
        issuer: 'shop',
        claims: { sub: SHOP_CLAIMS.sub },
        level: 'read',
        secrets: ['database'],
      },
      {
        name: 'rotation',
        issuer: 'gitlab',
        claims: { project_id: '21' },
        level: 'write',
        secrets: ['rotated'],
      },
    ]),
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stack.close();
  await Promise.all([github.close(), gitlab.close(), shop.close()]);
});

const here = (text: string): string => text.replaceAll(SERVICE, stack.url);

/** @returns what it prints; the files are in `folder` */
async function run(shell: readonly [string, ...string[]], script: string, env: object): Promise<string> {
  const jq = debianProgram('jq');
  const [program, ...args] = shell;
  const { stdout } = await promisify(execFile)(program, [...args, script], {
    cwd: folder,
    env: { ...jq.env, PATH: `${path.dirname(jq.path)}:${process.env['PATH'] ?? ''}`, ...env },
  });
  return stdout;
}

const password = (): Buffer => readFileSync(path.join(folder, 'password'));
const asFile = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  return path.join(folder, name);
};

describe('the recipes of docs/machines.md', { timeout: 60_000 }, () => {
  it.each([GITHUB, GITLAB, POD])('name an issuer that the service accepts as it is: %s', (section) => {
    const { auth } = readSettings({ SERVICE_TRUSTED_ISSUERS: JSON.stringify([trustOf(section)]) });
    expect(auth.trustedIssuers.map(({ name }) => name)).toEqual([trustOf(section).name]);
  });

  it(`read one key: ${GITHUB}`, async () => {
    const requested: (string | undefined)[] = [];
    const platform: Server = createServer((request, response) => {
      requested.push(request.url, request.headers.authorization);
      response.end(JSON.stringify({ value: github.token({ claims: GITHUB_CLAIMS }) }));
    }).listen(0, '127.0.0.1');
    await once(platform, 'listening');
    const { port } = platform.address() as AddressInfo;
    const { jobs } = yaml.parse(block(GITHUB, 'yaml')) as {
      jobs: { deploy: { steps: [{ run: string }] } };
    };
    // The runner's own shell.
    await run(
      ['bash', '-e', '-c'],
      here(jobs.deploy.steps[0].run).replace(/audience=\S+"/, `audience=${SERVICE}"`),
      {
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
      },
    );
    platform.close();
    expect(requested).toEqual([`/token?api-version=2.0&audience=${SERVICE}`, 'bearer of-the-runner']);
    expect(password()).toEqual(PASSWORD);
  });

  it('refuse the job of another branch, and of a repository that took the name', async () => {
    const status = async (claims: object) => {
      const authorization = `Bearer ${github.token({ claims: { ...GITHUB_CLAIMS, ...claims } })}`;
      const url = `${stack.url}/api/namespaces/team-a/secrets/database/keys/password`;
      return (await fetch(url, { headers: { authorization } })).status;
    };
    expect(await status({})).toBe(200);
    expect(await status({ ref: 'refs/heads/Main' })).toBe(403);
    expect(await status({ repository_id: '99' })).toBe(403);
    expect(await status({ repository_owner_id: '99' })).toBe(401);
  });

  it(`read one key: ${GITLAB}`, async () => {
    const { deploy } = yaml.parse(block(GITLAB, 'yaml')) as {
      deploy: { id_tokens: { TOKEN: { aud: string } }; script: readonly string[] };
    };
    const { aud } = deploy.id_tokens.TOKEN;
    const TOKEN = gitlab.token({ claims: { ...GITLAB_CLAIMS, aud } });
    await run(['sh', '-e', '-c'], here(deploy.script.join('\n')), { TOKEN });
    expect(password()).toEqual(PASSWORD);
  });

  it(`read one key: ${POD}`, async () => {
    const job = yaml.parse(block(POD, 'yaml')) as {
      spec: {
        template: {
          spec: {
            serviceAccountName: string;
            containers: [{ command: [string, string]; args: [string] }];
            volumes: [
              { projected: { sources: [{ serviceAccountToken: { path: string; audience: string } }] } },
            ];
          };
        };
      };
    };
    const { serviceAccountName, containers, volumes } = job.spec.template.spec;
    const { path: file, audience } = volumes[0].projected.sources[0].serviceAccountToken;
    const pod = await startPod(cluster, { namespace: 'team-a', name: serviceAccountName, audience });
    asFile(file, pod.token);
    const [{ command, args }] = containers;
    await run(command, here(args[0]).replaceAll('/var/run/tokens', folder), {});
    expect(password()).toEqual(PASSWORD);
  });

  it(`change one key and keep the others: ${ROTATION}`, async () => {
    await stack.kube.createSecret('team-a', nativeSecret('rotated', { password: 'before', user: 'app' }));
    const TOKEN_FILE = asFile('token', gitlab.token({ claims: { ...GITLAB_CLAIMS, project_id: '21' } }));
    const script = block(ROTATION, 'sh');
    const env = { SERVICE: stack.url, NAMESPACE: 'team-a', NAME: 'rotated', TOKEN_FILE };
    expect(await run(['sh', '-euc'], script, env)).toBe('{"version":2}\n');
    const { data = {} } = (await stack.kube.getSecret('team-a', 'rotated')) ?? {};
    expect(Buffer.from(data['user'] ?? '', 'base64').toString()).toBe('app');
    expect(Buffer.from(data['password'] ?? '', 'base64').toString()).toMatch(/^[\w+/]{32}$/);
    const audited = stack.logLines().find(({ action }) => action === 'secret.update');
    expect(audited).toMatchObject({ actor: 'machine:team-a/rotation', outcome: 'succeeded' });
  });

  it(`read one key: ${OTHER_CLUSTER}`, async () => {
    const [store, external] = block(OTHER_CLUSTER, 'yaml')
      .split(/^---$/m)
      .map((text): unknown => yaml.parse(text)) as unknown as [StoreOf, ExternalSecretOf];
    const { url, headers, secrets } = store.spec.provider.webhook;
    const [{ remoteRef }] = external.spec.data;
    const token = shop.token({ claims: SHOP_CLAIMS });
    // What the provider renders: the reference, and the Secrets that it may use.
    const rendered = (text: string): string =>
      text
        .replace('{{ .remoteRef.key }}', encodeURIComponent(remoteRef.key))
        .replace('{{ .remoteRef.property }}', encodeURIComponent(remoteRef.property))
        .replace(`{{ .${secrets[0].name}.token }}`, token);
    const response = await fetch(here(rendered(url)), {
      headers: { authorization: rendered(headers.Authorization) },
    });
    expect(rendered(url)).not.toContain('{{');
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, PASSWORD]);
  });
});

interface StoreOf {
  readonly spec: {
    readonly provider: {
      readonly webhook: {
        readonly url: string;
        readonly headers: { readonly Authorization: string };
        readonly secrets: readonly [{ readonly name: string }];
      };
    };
  };
}

interface ExternalSecretOf {
  readonly spec: {
    readonly data: readonly [{ readonly remoteRef: { readonly key: string; readonly property: string } }];
  };
}
