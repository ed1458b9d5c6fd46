import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { historyOf, openReplicas, type Replicas } from '../replicas.ts';

const PROGRAM = new URL('../../../src/cmd/history.ts', import.meta.url).pathname;

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
