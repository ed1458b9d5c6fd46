import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { at, objectAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { run, type Finished, type Running } from '../../harness/program.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
const secret = (data: Json, metadata: object = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', namespace: 'team', ...metadata },
  data,
});

describe('kubectl (these tests need kubectl on the PATH)', () => {
  let cluster: DevCluster;
  let folder: string;

  beforeAll(async () => {
    cluster = await startDevCluster();
    folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
    writeFileSync(join(folder, 'config'), cluster.kubeconfig(), { mode: 0o600 });
    if (hasKubectl) await kubectl(['apply', '-f', '-'], NAMESPACE);
  });
  afterAll(async () => {
    await cluster.close();
    await rm(folder, { recursive: true });
  });

  const begin = (args: readonly string[], input?: Json): Running =>
    run('kubectl', ['--namespace', 'team', ...args], {
      env: { KUBECONFIG: join(folder, 'config'), KUBECACHEDIR: join(folder, 'cache') },
      ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    });
  async function kubectl(args: readonly string[], input?: Json): Promise<Finished> {
    const finished = await begin(args, input).finished;
    expect(finished.err).not.toContain('error');
    expect(finished.code, finished.err).toBe(0);
    return finished;
  }
  const stored = async (name = 's'): Promise<Json> =>
    JSON.parse((await kubectl(['get', 'secret', name, '-o', 'json'])).out) as Json;

  it.runIf(hasKubectl)('creates, reads and lists', async () => {
    expect((await kubectl(['create', '-f', '-'], secret({ a: 'MQ==' }, { name: 'made' }))).out).toContain(
      'created',
    );
    expect((await kubectl(['get', 'secrets'])).out).toMatch(/made/);
    expect((await kubectl(['get', 'secrets', '-A'])).out).toMatch(/team\s+made/);
    expect((await kubectl(['get', 'secret', 'made', '-o', 'yaml'])).out).toMatch(/ {2}a: MQ==/);
  });

  it.runIf(hasKubectl)('applies what is new and what has changed', async () => {
    expect((await kubectl(['apply', '-f', '-'], secret({ a: 'MQ==', b: 'Mg==' }))).out).toContain('created');
    expect((await kubectl(['apply', '-f', '-'], secret({ a: 'Mw==' }))).out).toContain('configured');
    expect((await kubectl(['apply', '-f', '-'], secret({ a: 'Mw==' }))).out).toContain('unchanged');
    expect(objectAt(await stored(), 'data')).toEqual({ a: 'Mw==' });
  });

  it.runIf(hasKubectl)('applies on the server, and shows what that would change', async () => {
    const applied = (data: Json): Json => secret(data, { name: 'applied' });
    const serverSide = ['apply', '--server-side', '-f', '-'];
    await kubectl(serverSide, applied({ a: 'MQ==', b: 'Mg==' }));
    for (const args of [
      ['diff', '-f', '-'],
      ['diff', '--server-side', '-f', '-'],
    ]) {
      const { code, out } = await begin(
        args,
        secret({ a: 'Mw==' }, { name: 'applied', labels: { new: 'label' } }),
      ).finished;
      expect([code, out]).toEqual([1, expect.stringMatching(/^\+ +new: label$/m)]);
    }
    expect((await kubectl(serverSide, applied({ a: 'Mw==' }))).out).toContain('serverside-applied');
    expect(objectAt(await stored('applied'), 'data')).toEqual({ a: 'Mw==' });
    await kubectl(['patch', 'secret', 'applied', '--type', 'merge', '-p', '{"data":{"a":"NA=="}}']);
    const refused = await begin(serverSide, applied({ a: 'Mw==' })).finished;
    expect(refused.err).toContain('conflict with "kubectl-patch" using v1: .data.a');
    await kubectl([...serverSide, '--force-conflicts'], applied({ a: 'Mw==' }));
    expect(objectAt(await stored('applied'), 'data')).toEqual({ a: 'Mw==' });
  });

  it.runIf(hasKubectl)('creates by its commands, which send protobuf', async () => {
    await kubectl(['create', 'namespace', 'other']);
    await kubectl(['create', 'secret', 'generic', 'literal', '--from-literal=key=value']);
    expect(await stored('literal')).toMatchObject({ type: 'Opaque', data: { key: 'dmFsdWU=' } });
    await kubectl(['create', 'configmap', 'policy', '--from-literal=allowedGroups=["a"]']);
    await kubectl(['create', 'deployment', 'web', '--image=web:1', '--replicas=2']);
    expect((await kubectl(['get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}'])).out).toBe('2');
    await kubectl(['create', 'cronjob', 'report', '--image=report:1', '--schedule=0 6 * * *']);
    await kubectl(['create', 'serviceaccount', 'robot']);
    await kubectl(['create', 'role', 'reader', '--verb=get', '--resource=secrets']);
    await kubectl(['create', 'rolebinding', 'reads', '--role=reader', '--serviceaccount=team:robot']);
    expect((await kubectl(['create', 'token', 'robot', '--duration=10m'])).out.split('.')).toHaveLength(3);
    const robot = '--as=system:serviceaccount:team:robot';
    expect((await kubectl(['auth', 'can-i', 'get', 'secrets', robot])).out).toBe('yes\n');
    expect((await begin(['auth', 'can-i', 'list', 'secrets', robot]).finished).out).toBe('no\n');
    expect((await kubectl(['auth', 'can-i', '--list', robot])).out).toMatch(/^secrets .*\[get\]$/m);
  });

  it.runIf(hasKubectl)('replaces, annotates, labels and patches', async () => {
    await kubectl(['create', '-f', '-'], secret({ a: 'MQ==' }, { name: 'edited' }));
    await kubectl(['replace', '-f', '-'], secret({ b: 'Mg==' }, { name: 'edited' }));
    await kubectl(['annotate', 'secret', 'edited', 'note=here']);
    await kubectl(['label', 'secret', 'edited', 'tier=a']);
    await kubectl(['patch', 'secret', 'edited', '--type', 'merge', '-p', '{"data":{"c":"Mw=="}}']);
    await kubectl(['patch', 'secret', 'edited', '-p', '{"data":{"b":null}}']);
    expect(await stored('edited')).toMatchObject({
      metadata: { annotations: { note: 'here' }, labels: { tier: 'a' } },
      data: { c: 'Mw==' },
    });
    expect(at(await stored('edited'), 'data', 'b')).toBeUndefined();
  });

  it.runIf(hasKubectl)('refuses a field that a Secret does not have', async () => {
    const body = { ...(secret({}, { name: 'strict' }) as object), nonsense: 1 };
    const { code, err } = await begin(['create', '-f', '-'], body).finished;
    expect(code).toBe(1);
    expect(err).toContain('unknown field "nonsense"');
  });

  it.runIf(hasKubectl)('watches', async () => {
    const watching = begin(['get', 'configmaps', '--watch', '-o', 'name']);
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen', namespace: 'team' } };
    await kubectl(['create', '-f', '-'], configMap);
    await watching.seen(/configmap\/seen/);
    watching.process.kill();
    await watching.finished;
  });

  it.runIf(hasKubectl)('deletes, and waits for finalizers', async () => {
    await kubectl(['create', '-f', '-'], secret({}, { name: 'held', finalizers: ['example.com/hold'] }));
    const deleting = begin(['delete', 'secret', 'held']);
    await deleting.seen(/deleted/);
    await kubectl([
      'patch',
      'secret',
      'held',
      '--type',
      'json',
      '-p',
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    ]);
    expect((await deleting.finished).code).toBe(0);
    const { code, err } = await begin(['get', 'secret', 'held']).finished;
    expect(code).toBe(1);
    expect(err).toContain('NotFound');
  });
});
