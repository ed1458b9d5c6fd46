import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listOf, secretOf } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { nativeSecret, secretsPath } from '../../harness/secret-paths.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { makeCertificate } from '../../fakes/certificate.ts';
import { becomes } from '../../integration/replicas.ts';

let stack: Stack;
let namespace: string;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
});

const { cert, key } = makeCertificate('web');
const seed = (name: string, data: Readonly<Record<string, string>>, more: object = {}) =>
  stack.kube.createSecret(namespace, nativeSecret(name, data, more));
const listed = async () => listOf(await listBothWays(stack.admin, namespace)).secrets;
const read = async (name: string) => secretOf(await stack.admin.get(secretsPath(namespace, name)));
const owner = (kind: string, name: string, controller: boolean) => ({
  apiVersion: 'example.com/v1',
  kind,
  name,
  uid: `uid-${name}`,
  controller,
});

describe('who writes a Secret', () => {
  it('is in lists and details alike: the controller among its owners', async () => {
    const ownerReferences = [owner('Deployment', 'not-it', false), owner('ExternalSecret', 'db', true)];
    await seed('a', {}, { metadata: { ownerReferences } });
    const controlledBy = { kind: 'ExternalSecret', name: 'db' };
    expect(await listed()).toMatchObject([{ name: 'a', controlledBy }]);
    expect(await read('a')).toMatchObject({ name: 'a', controlledBy });
  });

  it('is derived from annotations and labels of controllers, of which nothing else is shown', async () => {
    const annotations = {
      'cert-manager.io/certificate-name': 'web',
      'cert-manager.io/issuer-name': 'planted-issuer',
    };
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'planted-apps' };
    await seed('a', {}, { metadata: { annotations, labels } });
    const [summary] = await listed();
    expect(summary?.controlledBy).toEqual({ kind: 'Certificate', name: 'web' });
    expect(JSON.stringify([summary, await read('a')])).not.toContain('planted');
  });

  it('is absent where no controller is recognized', async () => {
    const ownerReferences = [owner('Deployment', 'not-it', false)];
    await seed('a', {}, { metadata: { ownerReferences, labels: { app: 'a' } } });
    expect((await listed())[0]).not.toHaveProperty('controlledBy');
    expect(await read('a')).not.toHaveProperty('controlledBy');
  });

  it('changes as soon as the annotation does', async () => {
    await seed('a', {});
    const annotations = { 'argocd.argoproj.io/tracking-id': 'shop:/Secret:ns/a' };
    await stack.kube.patchSecret(namespace, 'a', { metadata: { annotations } });
    await becomes(async () => (await listed())[0]?.controlledBy?.name, 'shop');
  });
});

describe('the expiry of a certificate', () => {
  it('is in lists and details of TLS types, and the values stay out of lists', async () => {
    await seed('web', { 'tls.crt': cert, 'tls.key': key }, { type: 'kubernetes.io/tls' });
    const [summary] = await listed();
    const detail = await read('web');
    expect(summary?.certificateNotAfter).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(detail.certificateNotAfter).toBe(summary?.certificateNotAfter);
    expect(JSON.stringify(summary)).not.toContain('CERTIFICATE');
  });

  it('is absent for other types, and for what cannot be parsed, which remains allowed', async () => {
    await seed('a', { 'tls.crt': cert, 'tls.key': key });
    await seed('b', { 'tls.crt': 'nonsense', 'tls.key': '' }, { type: 'kubernetes.io/tls' });
    for (const summary of await listed()) expect(summary).not.toHaveProperty('certificateNotAfter');
    expect(await read('b')).not.toHaveProperty('certificateNotAfter');
  });

  it('is a metric that names the Secret, and ends with it', async () => {
    await seed('web', { 'tls.crt': cert, 'tls.key': key }, { type: 'kubernetes.io/tls' });
    const expiry = Date.parse((await read('web')).certificateNotAfter ?? '') / 1_000;
    const line = `service_certificate_not_after_seconds{namespace="${namespace}",name="web"} ${expiry}`;
    const isExposed = async () =>
      (await (await fetch(`${stack.service.opsUrl}/metrics`)).text()).split('\n').includes(line);
    await becomes(isExposed, true);
    await stack.kube.deleteSecret(namespace, 'web');
    await becomes(isExposed, false);
  });
});
