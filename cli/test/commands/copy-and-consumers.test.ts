import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { annotation } from '../../../test/harness/annotation.ts';
import { nativeSecret, stateOf } from '../../../test/harness/secret-paths.ts';
import {
  createWorkloadsClient,
  usingEnv,
  usingVolume,
  type WorkloadsClient,
} from '../../../test/harness/workloads.ts';
import { asMachine, namespace, openCommandFixture, secretsctl, stack, stored } from '../fixture.ts';
import { startIngress } from '../ingress.ts';

openCommandFixture();

const BLOB = Uint8Array.of(0, 255);
let workloads: WorkloadsClient;
beforeEach(async () => {
  workloads = createWorkloadsClient(parseCredentials(stack.dev.kubeconfig()), namespace);
  const metadata = {
    annotations: { [annotation('allowed-groups')]: 'team-a', [annotation('description')]: 'orders' },
  };
  await stack.kube.createSecret(
    namespace,
    nativeSecret('database', { key: 'first', blob: BLOB }, { metadata }),
  );
});
afterEach(() => workloads.close());

describe('copy', () => {
  it('takes values, description and rules along, and leaves the original', async () => {
    const { exitCode, stdout } = await secretsctl(['copy', 'database', 'copied', '--note', 'for staging']);
    expect([exitCode, stdout.toString()]).toEqual([
      0,
      `${namespace}/copied: copied from ${namespace}/database (version 1)\n`,
    ]);
    expect(await stored('copied')).toEqual(await stored('database'));
    const copied = await stack.kube.getSecret(namespace, 'copied');
    expect(copied?.metadata.annotations).toMatchObject({
      [annotation('allowed-groups')]: expect.stringContaining('team-a') as string,
      [annotation('description')]: 'orders',
    });
  });

  it('leaves the rules behind with --no-rules, goes to another namespace, and does not overwrite', async () => {
    const other = await stack.namespace();
    const args = ['copy', 'database', `${other}/database`, '--no-rules'];
    expect((await secretsctl(args)).exitCode).toBe(0);
    const copied = await stack.kube.getSecret(other, 'database');
    expect(copied?.metadata.annotations?.[annotation('allowed-groups')]).not.toContain('team-a');
    const before = await stateOf(stack.kube, other);
    expect((await secretsctl(args)).exitCode).toBe(6);
    expect(await stateOf(stack.kube, other)).toEqual(before);
  });

  it('writes nothing in a dry run', async () => {
    const before = await stateOf(stack.kube, namespace);
    expect((await secretsctl(['copy', 'database', 'copied', '--dry-run'])).exitCode).toBe(0);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });
});

describe('consumers', () => {
  beforeEach(async () => {
    await workloads.create('Deployment', 'web', usingEnv('database'));
    await workloads.create('StatefulSet', 'files', usingVolume('database'));
    await workloads.create('CronJob', 'nightly', usingEnv('database'));
    await workloads.create('Deployment', 'else', usingEnv('other'));
  });

  it('lists what uses the Secret, and how', async () => {
    const { stdout } = await secretsctl(['consumers', 'database']);
    const rows = stdout.toString().trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(/ +/)).sort()).toEqual([
      ['CronJob', 'nightly', 'env'],
      ['Deployment', 'web', 'env'],
      ['StatefulSet', 'files', 'volume'],
    ]);
  });

  it('restarts what has old values, after a yes, and nothing in a dry run', async () => {
    const before = await workloads.state();
    for (const args of [[], ['--dry-run']])
      await secretsctl(['consumers', 'database', '--restart', ...args], { input: 'y' });
    expect(await workloads.state()).toEqual(before);
    const { exitCode, stdout } = await secretsctl(['consumers', 'database', '--restart', '--yes']);
    expect([exitCode, stdout.toString()]).toEqual([0, `${namespace}/database: restarted Deployment web\n`]);
    expect(await workloads.restartedAt('Deployment', 'web')).toBeDefined();
    expect(await workloads.restartedAt('StatefulSet', 'files')).toBeUndefined();
  });

  it('ends with 1 where one was not restarted, and says why', async () => {
    await workloads.patch('Deployment', 'web', { spec: { paused: true } });
    const { exitCode, stderr } = await secretsctl(['consumers', 'database', '--restart', '--yes']);
    expect([exitCode, stderr]).toEqual([1, 'secretsctl: Deployment web: paused\n']);
  });
});

describe('delete --deleted', () => {
  it('removes what is kept, after a yes', async () => {
    await secretsctl(['delete', 'database', '--yes']);
    const args = ['delete', 'database', '--deleted'];
    expect((await secretsctl(args)).exitCode).toBe(2);
    expect((await secretsctl([...args, '--dry-run'])).exitCode).toBe(0);
    expect(await stateOf(stack.kube, namespace)).not.toEqual([]);
    const { exitCode, stdout } = await secretsctl([...args, '--yes']);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('is removed')]);
    expect(await stateOf(stack.kube, namespace)).toEqual([]);
    expect((await secretsctl([...args, '--yes'])).exitCode).toBe(5);
  });

  it('ends with 7 where the answer is lost', async () => {
    await stack.kube.createSecret(namespace, nativeSecret('scratch', { key: 'x' }));
    await secretsctl(['delete', 'scratch', '--yes']);
    const ingress = await startIngress(stack.url, 'answer lost');
    const { exitCode, stderr } = await asMachine(['delete', 'scratch', '--deleted', '--yes'], {
      environment: { SECRETSCTL_SERVER: ingress.url },
    });
    ingress.close();
    expect([exitCode, stderr]).toEqual([7, expect.stringContaining('whether it was removed is unknown')]);
  });
});
