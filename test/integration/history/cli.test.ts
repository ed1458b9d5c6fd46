import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommand } from '../../harness/built-command.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { historyOf, openReplicas, type Replicas } from '../replicas.ts';

const PROGRAM = builtCommand('history');

let fixture: Replicas;
let folder: string;
let namespace: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  fixture = await openReplicas();
  writeFileSync(join(folder, 'kubeconfig'), fixture.dev.kubeconfig(), { mode: 0o600 });
  namespace = await fixture.namespace();
  const replica = await fixture.replica();
  const secrets = replica.secrets(namespace);
  await secrets.create('database', { data: { password: 'planted-value-1' } });
  await secrets.update('database', { data: { password: 'planted-value-2' } });
  await secrets.update('database', { data: { password: 'planted-value-3' } });
  await replica.stop();
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], kubeconfig = join(folder, 'kubeconfig')): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], KUBECONFIG: kubeconfig };
    execFile(process.execPath, [PROGRAM, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}
const on = (secret: string, ...more: string[]) => ['--namespace', namespace, '--secret', secret, ...more];

it('list and show print the versions, and print no value', async () => {
  const list = await run(['list', ...on('database')]);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(
    list.stdout
      .split('\n')
      .slice(2, 4)
      .map((line) => line.split(/ +/).slice(0, 2)),
  ).toEqual([
    ['2', 'bound'],
    ['1', 'bound'],
  ]);
  const show = await run(['show', ...on('database', '--version', '1')]);
  expect(show.stdout).toContain('password (15 bytes)');
  for (const text of [list.stdout, show.stdout]) {
    expect(text).not.toContain('planted');
    expect(text).not.toContain(Buffer.from('planted-value-1').toString('base64'));
  }
});

it('verify exits with 0 while all is well, and with 1 when something is not', async () => {
  expect(await run(['verify', ...on('database')])).toMatchObject({ code: 0 });
  const [snapshot] = await historyOf(fixture.kube, namespace);
  await fixture.kube.patchSecret(namespace, snapshot?.metadata.name ?? '', {
    metadata: { annotations: { 'service.io/history-version': '9' } },
  });
  const { code, stdout } = await run(['verify', ...on('database')]);
  expect(code).toBe(1);
  expect(stdout).toContain(`${snapshot?.metadata.name ?? ''}: nameDisagrees`);
});

it('looks outside the scope, too, and says that the service does not', async () => {
  await fixture.kube.createSecret('kube-system', nativeSecret('a', {}));
  const ended = await run(['list', '--namespace', 'kube-system', '--secret', 'a']);
  expect(ended).toMatchObject({
    code: 0,
    stderr: 'note: kube-system is outside SERVICE_NAMESPACES: the service leaves history there alone\n',
  });
});

it('exits with 2 when it is used wrongly, or cannot reach the cluster', async () => {
  for (const args of [
    ['destroy', ...on('a')],
    ['list', ...on('a', '--force')],
  ]) {
    // The image has no npm to run it with.
    expect(await run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/usage: node dist\/cmd\/history\.js (?!.*\bnpm )/s) as string,
    });
  }
  expect(await run(['list', ...on('a')], join(folder, 'absent'))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('KUBECONFIG names no file that exists') as string,
  });
});

it.each([
  ['verify', ['datbase'], /neither a live Secret nor any history/],
  ['list', ['datbase'], /neither a live Secret nor any history/],
  ['show', ['datbase'], /neither a live Secret nor any history/],
  ['show', ['database', '--version', '99'], /no version 99 in the history/],
] as const)(
  '%s says when there is nothing of the name or version: %j',
  async (verb, [name, ...more], said) => {
    const ended = await run([verb, ...on(name, ...more)]);
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout).toMatch(said);
  },
);

describe('compare', () => {
  /** The namespace's Secrets as `kubectl get secrets -o json` writes them, with a ConfigMap among them. */
  async function backup(name: string): Promise<string> {
    const items = (await fixture.kube.listSecrets(namespace)).map((item) => ({ kind: 'Secret', ...item }));
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify({ kind: 'List', items: [{ kind: 'ConfigMap' }, ...items] }));
    return file;
  }

  const create = (name: string) =>
    fixture.kube.createSecret(namespace, nativeSecret(name, { key: 'planted-value-4' }));

  it('finds no difference right after the backup', async () => {
    const same = await run(['compare', '--backup', await backup('same.json')]);
    expect(same).toEqual({
      code: 0,
      stdout: '3 objects in the backup, 3 in the cluster: no differences\n',
      stderr: '',
    });
  });

  it('names what is missing, new, recreated or changed, and no value', async () => {
    for (const name of ['removed', 'recreated', 'changed', 'counted']) await create(name);
    const file = await backup('before.json');
    for (const name of ['removed', 'recreated']) await fixture.kube.deleteSecret(namespace, name);
    for (const name of ['recreated', 'added']) await create(name);
    await fixture.kube.patchSecret(namespace, 'changed', {
      data: { key: Buffer.from('planted-value-5').toString('base64') },
    });
    await fixture.kube.patchSecret(namespace, 'counted', {
      metadata: { annotations: { 'service.io/version': '9' } },
    });

    const { code, stdout, stderr } = await run(['compare', '--backup', file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.trim().split('\n')).toEqual([
      `${namespace}/added: not in the backup`,
      `${namespace}/changed: other contents under the same version`,
      `${namespace}/counted: version 1 in the backup, 9 in the cluster`,
      `${namespace}/recreated: another object (UID), with the same contents`,
      `${namespace}/removed: missing in the cluster`,
      '7 objects in the backup, 7 in the cluster: 5 differences',
    ]);
    expect(stdout).not.toContain('planted-value');
  });

  it.each([
    ['that is no JSON', 'planted-value {'],
    ['that is no list', '{"kind":"Secret","data":{"a":"planted-value"}}'],
    ['with a Secret that is none', '{"items":[{"kind":"Secret","metadata":"planted-value"}]}'],
  ])('ends with 2 at a backup %s, and quotes nothing of it', async (_what, text) => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, text);
    const stderr = 'the backup is no list of Secrets as kubectl writes it in JSON\n';
    expect(await run(['compare', '--backup', file])).toEqual({ code: 2, stdout: '', stderr });
  });

  it('ends with 2 at a backup that is larger than it takes, and reads no more of it', async () => {
    const file = join(folder, 'large.json');
    const stderr = 'the backup is larger than 128 MiB: compare one of a single namespace at a time\n';
    writeFileSync(file, '');
    for (const bytes of [128 * 1024 * 1024 + 1, 1024 ** 4]) {
      truncateSync(file, bytes);
      expect(await run(['compare', '--backup', file])).toEqual({ code: 2, stdout: '', stderr });
    }
  });

  it.each([[[]], [['--backup', 'a', '--namespace', 'b']], [['--backup', 'a', 'b']]])(
    'has a usage: %j',
    async (args) => {
      expect(await run(['compare', ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^usage: /) as string,
      });
    },
  );
});
