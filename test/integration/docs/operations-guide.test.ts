import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterApi } from '../../../hack/e2e/cluster-api.ts';
import { findKustomize } from '../../../hack/manifests/kustomize.ts';
import { annotationNames } from '../../../src/kube/annotation-names.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';
import { commandsBySection } from './guide-commands.ts';
import { HOME, NAME, openGuideFixture, ROOT, type GuideFixture } from './guide-fixture.ts';

// The commands of docs/operations.md that change something, on a cluster without nodes: as they stand, with a wrong name
// and without what they need. test/e2e/drill.test.ts runs the drill with the service.

const guide = commandsBySection(readDocument('operations.md'));
/** Stands before kubectl on the PATH: the cluster of the tests has no pods and no subresource `scale`. */
const WITHOUT_NODES = `#!/bin/bash
case " $* " in
  *" exec "*) while [ "$1" != -- ]; do shift; done; shift; cd ${ROOT}; exec "$@" ;;
  *" scale "*) exec "$REAL_KUBECTL" "$1" "$2" patch "$4" --type=merge -p "{\\"spec\\":{\\"replicas\\":\${5#*=}}}" ;;
  *) exec "$REAL_KUBECTL" "$@" ;;
esac
`;
const DEPLOYMENT = `/apis/apps/v1/namespaces/${HOME}/deployments/${NAME}`;

let fixture: GuideFixture;
let cluster: ClusterApi;

beforeAll(async () => {
  fixture = await openGuideFixture({ kubectl: WITHOUT_NODES, parts: ['kustomize'], namespaces: ['team-a'] });
  ({ cluster } = fixture);
});
afterAll(() => fixture.close());

/** With or without a stop at the first failure. */
const shell = (script: string, options?: string) =>
  fixture.shell(script, options === undefined ? {} : { options });

/** The command of a section that begins like this. */
function command(section: string, ...beginnings: readonly string[]): string {
  const found = (guide.get(section) ?? []).filter((text) =>
    beginnings.some((beginning) => text.startsWith(beginning)),
  );
  expect(found.length, `${section}: ${beginnings.join(', ')}`).toBeGreaterThanOrEqual(beginnings.length);
  return found.join('\n');
}

describe('comparing a backup with the cluster, as "Backup" says', () => {
  const comparison = command('Backup', 'kubectl get secrets -A -o json |');

  it('finds no difference, and then what was written since', async () => {
    const place = '/api/v1/namespaces/team-a/secrets';
    await cluster.insist('POST', place, { metadata: { name: 'kept' }, stringData: { key: 'planted-value' } });
    const same = await shell(comparison);
    expect([same.code, same.err]).toEqual([0, '']);
    expect(same.out).toMatch(/no differences\n$/);

    const [before = '', after = ''] = comparison.split('|\n');
    const since = `kubectl -n team-a create secret generic since > /dev/null`;
    const changed = await shell(`${before} > backup.json; ${since}; cat backup.json | ${after}`);
    expect(changed.code).toBe(1);
    expect(changed.out).toContain('team-a/since: not in the backup\n');
    expect(changed.out).not.toContain('planted-value');
  });
});

it('"A drill" finds the copy complete although the reconciler has found its orphans', async () => {
  const commands = guide.get('A drill') ?? [];
  const recovery = commands.findIndex((text) => text.startsWith('name=orders'));
  const [verdict = '', ...restore] = commands.slice(0, recovery).toReversed();
  await cluster.insist('POST', '/api/v1/namespaces/team-a/secrets', {
    metadata: {
      name: 'orphan',
      annotations: { 'service.io/history-orphaned-at': '2026-03-04T05:06:07.089Z' },
    },
  });
  const found = `kubectl -n "$scratch" annotate secret orphan --overwrite service.io/history-orphaned-at="$(date)" >&2`;
  const cleanUp = command('A drill', 'kubectl delete namespace', 'rm -r');
  const { code, out, err } = await shell([...restore.toReversed(), found, verdict, cleanUp].join('\n'));
  expect([code, out], err).toEqual([0, expect.stringContaining('the copy is complete\n')]);
});

describe('recovering a version, as "A drill" says', () => {
  const recovery = command('A drill', 'name=orders', 'kubectl -n "$scratch" get secrets');
  const prepared = `scratch=team-a; folder=$(mktemp -d)`;
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const secret = (name: string, value: string, annotations = {}) => ({
    metadata: { name, annotations },
    data: { key: encoded(value) },
  });
  const archived = (name: string, version: string) =>
    secret(name, `value of v${version}`, {
      'service.io/history-of': 'orders',
      'service.io/history-version': version,
    });
  const create = (body: unknown) => cluster.insist('POST', '/api/v1/namespaces/team-a/secrets', body);
  const stored = async () =>
    (await cluster.insist('GET', '/api/v1/namespaces/team-a/secrets/orders')) as { readonly data?: unknown };

  beforeAll(async () => {
    await create(secret('orders', 'live'));
    await create(archived('orders.v1', '1'));
    await create(archived('orders.v2', '2'));
    await create(archived('copy-of-orders.v2', '2'));
  });

  it.each([
    [
      'a version that does not exist',
      (text: string) => text.replace('version=1', 'version=7'),
      'snapshots match',
    ],
    [
      'a version that two snapshots have',
      (text: string) => text.replace('version=1', 'version=2'),
      'snapshots match',
    ],
    ['another name', (text: string) => text.replace('name=orders', 'name=ordres'), 'snapshots match'],
    ['a namespace that is empty', (text: string) => `scratch=nothing\n${text}`, 'snapshots match'],
  ])('changes nothing with %s', async (_what, wrong, message) => {
    const before = await stored();
    for (const options of ['set -euo pipefail', 'true']) {
      const { code, err } = await shell(`${prepared}\n${wrong(recovery)}`, options);
      expect(code).not.toBe(0);
      expect(err).toContain(message);
    }
    expect(await stored()).toEqual(before);
  });

  it('changes nothing if the Secret is changed between the commands', async () => {
    const before = await stored();
    const meanwhile = recovery.replace(
      '&&\n  kubectl',
      '&&\n  kubectl -n team-a annotate secret orders note=changed >&2 &&\n  kubectl',
    );
    expect(meanwhile).not.toBe(recovery);
    expect((await shell(`${prepared}\n${meanwhile}`)).code).not.toBe(0);
    expect((await stored()).data).toEqual(before.data);
  });

  it('writes the values of the one snapshot that matches', async () => {
    expect((await shell(`${prepared}\n${recovery}`)).code).toBe(0);
    expect((await stored()).data).toEqual({ key: encoded('value of v1') });
  });
});

it('"Restoring" lists the snapshots of a namespace, and nothing in one without', async () => {
  await cluster.insist('POST', '/api/v1/namespaces/team-a/secrets', {
    metadata: {
      name: 'labelled',
      labels: { 'service.io/kind': 'history' },
      annotations: { 'service.io/history-of': 'orders', 'service.io/history-version': '9' },
    },
  });
  const list = command('Restoring', 'kubectl -n team-a get secrets');
  expect((await shell(list)).out).toMatch(/^labelled +orders +9$/m);
  expect((await shell(list.replace('team-a', 'nothing'))).out).not.toContain('labelled');
});

describe.runIf(findKustomize() !== undefined)('an upgrade, as "Without an overlap" says', () => {
  const upgrade = command('Without an overlap', 'kubectl -n secrets-management scale', 'kubectl apply -k');
  const replicas = async () =>
    ((await cluster.insist('GET', DEPLOYMENT)) as { readonly spec: { readonly replicas?: number } }).spec
      .replicas;

  it.each([
    ['', ''],
    [
      ' with autoscaling',
      "printf '\\ncomponents: [../../components/autoscaling]\\n' >> kustomize/overlays/ours/kustomization.yaml",
    ],
  ])('ends with replicas%s', async (_with, add) => {
    const overlay = await shell(
      `rm -rf kustomize/overlays/ours; mkdir kustomize/overlays/ours
printf 'resources: [../../base]\\n' > kustomize/overlays/ours/kustomization.yaml
${add}
kubectl apply -k kustomize/overlays/ours`,
    );
    expect(overlay.code, overlay.err).toBe(0);
    const { code, err } = await shell(upgrade);
    expect(code, err).toBe(0);
    expect(await replicas()).toBe(2);
  });
});

// The last one: it removes what the others look for.
it('"Leaving" removes the history and all annotations, and no value', async () => {
  const names = async () => {
    const { items } = (await cluster.insist('GET', '/api/v1/namespaces/team-a/secrets')) as {
      readonly items: readonly {
        readonly metadata: { readonly name: string; readonly annotations?: object };
      }[];
    };
    return items.map(({ metadata }) => [metadata.name, metadata.annotations]);
  };
  const managed = Object.fromEntries(
    Object.entries(annotationNames('service.io'))
      .filter(([what]) => what !== 'kind' && !what.startsWith('history'))
      .map(([, name]) => [name, '3']),
  );
  await cluster.insist('POST', '/api/v1/namespaces/team-a/secrets', {
    metadata: { name: 'managed', annotations: { ...managed, 'example.com/note': 'stays' } },
  });
  const { code, err } = await shell((guide.get('Leaving') ?? []).join('\n'));
  expect(code, err).toBe(0);
  const left = await names();
  expect(left.map(([name]) => name)).not.toContain('labelled');
  expect(left).toContainEqual(['managed', { 'example.com/note': 'stays' }]);
});
