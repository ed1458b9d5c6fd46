import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ACCOUNTS } from '../../../hack/dev-idp/accounts.ts';
import { CONFIDENTIAL_CLIENTS } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { accountKubeconfig } from '../../../hack/e2e/account-kubeconfig.ts';
import type { ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { podEnvironment } from '../../../hack/e2e/pod-environment.ts';
import { findKustomize } from '../../../hack/manifests/kustomize.ts';
import type { Manifest } from '../../../hack/manifests/rendered.ts';
import { signInOverHttp } from '../../../hack/sign-in-over-http.ts';
import { clientWith } from '../../harness/api-client.ts';
import { freePort } from '../../harness/free-port.ts';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';
import { commandsBySection } from './guide-commands.ts';
import { HOME, NAME, openGuideFixture, ROOT, type GuideFixture } from './guide-fixture.ts';

// docs/install.md, "On a cluster", followed as it stands by a new operator on a cluster without nodes: what a command does
// in a pod is done here with the pod's environment.

const CLIENT = CONFIDENTIAL_CLIENTS.client_secret_basic;

/** Commands that cannot be followed here, by their first words, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'make image IMAGE': 'needs a container engine; `make image-check` replays its steps',
  'docker push': 'needs a registry',
  'kubectl -n ingress-nginx patch configmap': 'needs the ingress controller',
  'kubectl -n ingress-nginx get pods': 'needs the ingress controller',
  'kubectl get nodes': 'needs nodes',
  'cosign verify': 'needs a published image',
  'helm upgrade': 'needs Helm; test/contract/manifests/chart.test.ts renders the chart as it does',
};

/** Stands before kubectl on the PATH. */
const WITHOUT_NODES = `#!/bin/sh
case " $* " in
  *" exec "*) while [ "$1" != -- ]; do shift; done; shift; cd ${ROOT} && . "$POD_ENVIRONMENT" && exec "$@" ;;
  *" rollout status "* | *" logs "*) echo "$*" >> "$WITHOUT_PODS" ;;
  *" rollout restart "*) sleep 1; exec "$REAL_KUBECTL" "$@" ;; # it refuses two within a second
  *) exec "$REAL_KUBECTL" "$@" ;;
esac
`;

const guide = commandsBySection(readDocument('install.md'));

/** A block of the guide as the field of a kustomization. Operations alone are those of the Ingress. */
function patchesOf(block: string): string {
  if (block.startsWith('patches:')) return block;
  if (!block.startsWith('- op:')) return `patches:\n${block}`;
  return `patches:\n- target: {kind: Ingress}\n  patch: |-\n${block.replaceAll(/^/gm, '    ')}`;
}

describe.runIf(findKustomize() !== undefined)('docs/install.md on a cluster', () => {
  let fixture: GuideFixture;
  let folder: string;
  let cluster: ClusterApi;
  let idp: DevIdp;
  let url: string;
  let service: ServiceProcess | undefined;

  beforeAll(async () => {
    fixture = await openGuideFixture({
      kubectl: WITHOUT_NODES,
      parts: ['kustomize', 'manifests'],
      namespaces: ['ingress-nginx', 'cert-manager', 'team-a'],
      env: (home) => ({
        POD_ENVIRONMENT: join(home, 'pod-environment'),
        WITHOUT_PODS: join(home, 'without-pods'),
      }),
    });
    ({ folder, cluster } = fixture);
    url = `http://localhost:${await freePort()}`;
    idp = await startDevIdp({ port: await freePort(), redirectUris: [`${url}/api/auth/callback`] });
    writeFileSync(join(folder, 'config.json'), '{"auths":{}}');
    await shell(
      'openssl req -x509 -newkey rsa:2048 -nodes -days 7 -subj /CN=secrets.example.com -keyout tls.key -out tls.crt; ' +
        'cp tls.crt server.crt; cp tls.key server.key; cp tls.crt ca.crt; command -v kubectl',
    );
  });
  afterAll(async () => {
    await service?.stop();
    await idp.close();
    await fixture.close();
  });

  /** @returns what the script printed. */
  async function shell(script: string, input = ''): Promise<string> {
    const { code, out, err } = await fixture.shell(script, { input });
    expect(code, `${script}\n${out}${err}`).toBe(0);
    return out;
  }

  /** Follows a section's commands in one shell. */
  function follow(section: string, input = ''): Promise<string> {
    const commands = guide.get(section);
    if (commands === undefined) throw new Error(`docs/install.md has no commands in ${section}`);
    const possible = commands.filter(
      (command) => !Object.keys(LEFT_OUT).some((words) => command.startsWith(words)),
    );
    return shell(possible.join('\n').replaceAll('https://secrets.example.com', url), input);
  }

  const get = (path: string): Promise<unknown> => cluster.insist('GET', path);
  const inHome = (path: string): Promise<unknown> => get(`/api/v1/namespaces/${HOME}/${path}`);

  it('The image: the pull secret', async () => {
    await follow('The image');
    expect(await inHome('secrets/registry')).toMatchObject({ type: 'kubernetes.io/dockerconfigjson' });
  });

  it('Your overlay, with the settings of this place', async () => {
    await follow('Your overlay');
    const file = join(folder, 'kustomize/overlays/ours/settings.env');
    const settings = readFileSync(file, 'utf8')
      .replace(/^NEXT_PUBLIC_APP_URL=.*$/m, `NEXT_PUBLIC_APP_URL=${url}`)
      .replace(/^OIDC_ISSUER=.*$/m, `OIDC_ISSUER=${idp.issuer}`)
      .replace(/^OIDC_CLIENT_ID=.*$/m, `OIDC_CLIENT_ID=${CLIENT.id}`);
    // Nothing here ends TLS: plain http is for loopback, and not for production.
    writeFileSync(file, `${settings}\nNODE_ENV=development\nOIDC_ALLOW_HTTP=true\n`);
    const rendered = await shell('kubectl kustomize kustomize/overlays/ours');
    expect(rendered).toContain(`OIDC_ISSUER: ${idp.issuer}`);
    // An Ingress has a host without a port.
    expect(rendered).toContain('  - host: localhost\n');
    expect(rendered).toContain('  - hosts:\n    - localhost\n');
  });

  it('Its patches: the overlay builds with each, and is another one', async () => {
    const overlays = join(folder, 'kustomize/overlays');
    cpSync(join(overlays, 'ours'), join(overlays, 'patched'), { recursive: true });
    const file = join(overlays, 'patched/kustomization.yaml');
    const ours = readFileSync(file, 'utf8');
    const render = (): Promise<string> => shell('kubectl kustomize kustomize/overlays/patched');
    const before = await render();
    const blocks = [...readDocument('install.md').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
      ([, block = '']) => block,
    );
    const patches = blocks.filter((block) => /^(patches:|- (target|patch|op):)/.test(block));
    expect(patches.length).toBeGreaterThanOrEqual(6);
    for (const patch of patches) {
      writeFileSync(file, `${ours}\n${patchesOf(patch)}`);
      expect(await render(), patch).not.toBe(before);
    }
  });

  it('The Secret', async () => {
    await follow('The Secret', `${CLIENT.secret}\n`);
    const { data } = (await inHome(`secrets/${NAME}`)) as { data: Record<string, string> };
    expect(Object.keys(data).sort()).toEqual(['OIDC_CLIENT_SECRET', 'SESSION_SECRET']);
    expect(Buffer.from(data['OIDC_CLIENT_SECRET'] ?? '', 'base64').toString()).toBe(CLIENT.secret);
  });

  it('TLS, in the Ingress and in the service', async () => {
    await follow('TLS');
    await follow('TLS in the service');
    for (const name of [`${NAME}-tls`, `${NAME}-server-tls`])
      expect(await inHome(`secrets/${name}`)).toMatchObject({ type: 'kubernetes.io/tls' });
  });

  it('A provider with a private certificate authority', async () => {
    await follow('A provider with a private certificate authority');
    expect(await inHome(`configmaps/${NAME}-ca`)).toHaveProperty('data', {
      'ca.crt': expect.any(String) as string,
    });
  });

  it('Namespaces that stay closed: what is open is listed, and only that', async () => {
    const open = await follow('Namespaces that stay closed');
    const listed = open.trim().split('\n');
    expect(listed).toContain(HOME); // its policy comes with the overlay
    for (const closed of ['ingress-nginx', 'cert-manager']) expect(listed).not.toContain(closed);
    for (const namespace of ['ingress-nginx', 'cert-manager'])
      expect(await get(`/api/v1/namespaces/${namespace}/configmaps/service-policy`)).toHaveProperty('data');
  });

  it('Apply: the service starts with what is in the cluster, and signs people in', async () => {
    await follow('Apply');
    const deployment = await get(`/apis/apps/v1/namespaces/${HOME}/deployments/${NAME}`);
    const environment = await podEnvironment(cluster, deployment as Manifest);
    const kubeconfigFile = join(folder, 'service-kubeconfig');
    const account = { namespace: HOME, name: NAME };
    writeFileSync(kubeconfigFile, await accountKubeconfig(cluster, join(folder, 'kubeconfig'), account));
    const own = { PORT: new URL(url).port, KUBECONFIG: kubeconfigFile };
    service = await startService({ kubeconfigFile, env: { ...environment, ...own } });
    const lines = Object.entries({ ...environment, ...own }).map(
      ([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
    );
    writeFileSync(join(folder, 'pod-environment'), lines.join('\n'), { mode: 0o600 });

    const [administrator] = DEMO_ACCOUNTS.filter(({ groups }) => groups.includes('platform-admins'));
    const { email = '', password = '' } = administrator ?? {};
    const cookie = await signInOverHttp({ serviceUrl: url, account: email, password });
    const namespaces = await clientWith(url, { cookie }).get('/api/namespaces');
    expect(namespaces.json).toMatchObject({
      namespaces: expect.arrayContaining([{ name: HOME, canCreate: true }]) as unknown,
    });
  });

  it('Verify: nothing to change, sign-in is required, and a first policy', async () => {
    const out = await follow('Verify');
    expect(out).toContain('"authDisabled":false,"oidcConfigured":true');
    expect(out).toMatch(/^401$/m);
    expect(await get('/api/v1/namespaces/team-a/configmaps/service-policy')).toMatchObject({
      data: { allowedGroups: '["team-a"]' },
    });
  });

  it('The rights: they are listed, and the one that some clusters lack is granted', async () => {
    const listed = await follow('The rights');
    // Of its own namespace, and of one in scope.
    expect(listed.match(/^secrets .*\[get list watch create update patch delete\]$/gm)).toHaveLength(2);
  });

  it('Uninstalling leaves the namespaces of others, and no right', async () => {
    await follow('Uninstalling');
    const bindings = await get('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings');
    const names = (bindings as { items: { metadata: { name: string } }[] }).items.map(
      ({ metadata }) => metadata.name,
    );
    expect(names.filter((name) => name.startsWith(NAME))).toEqual([]);
    expect(await get('/api/v1/namespaces/team-a')).toMatchObject({ status: { phase: 'Active' } });
  });

  it('Without kustomize: the manifest, and settings that the pods would have', async () => {
    cpSync(join(folder, 'kustomize/overlays/ours/settings.env'), join(folder, 'settings.env'));
    await follow('Without kustomize');
    await follow('The Secret', `${CLIENT.secret}\n`);
    const deployment = await get(`/apis/apps/v1/namespaces/${HOME}/deployments/${NAME}`);
    expect(await podEnvironment(cluster, deployment as Manifest)).toMatchObject({
      SERVICE_WAIT_FOR_SETTINGS: 'true',
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_SECRET: CLIENT.secret,
    });
  });

  it('every section with commands is followed here or named below', () => {
    const elsewhere = ['On kind', 'The ingress and its address', 'With Helm'];
    const followed = [
      ...[
        'The image',
        'Your overlay',
        'The Secret',
        'TLS',
        'TLS in the service',
        'Apply',
        'Verify',
        'The rights',
      ],
      ...[
        'A provider with a private certificate authority',
        'Namespaces that stay closed',
        'Uninstalling',
        'Without kustomize',
      ],
    ];
    expect([...guide.keys()].toSorted()).toEqual([...elsewhere, ...followed].toSorted());
  });
});
