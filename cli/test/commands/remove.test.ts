import { beforeEach, describe, expect, it } from 'vitest';
import { nativeSecret, stateOf } from '../../../test/harness/secret-paths.ts';
import { namespace, openCommandFixture, secretsctl, stack, start, stored } from '../fixture.ts';

openCommandFixture();

beforeEach(() =>
  stack.kube.createSecret(namespace, nativeSecret('database', { password: 'first', user: 'orders' })),
);

describe('delete', () => {
  it('is done after a yes at the terminal, and not after anything else', async () => {
    for (const [answer, exitCode, keys] of [
      ['', 1, 2],
      ['no', 1, 2],
      ['y', 0, 0],
    ] as const) {
      const started = start(['delete', 'database'], { terminal: true });
      await started.printed(/Delete .*\/database\? \[y\/N\] /);
      started.type(`${answer}\r`);
      expect((await started.ended()).exitCode).toBe(exitCode);
      expect(Object.keys(await stored('database'))).toHaveLength(keys);
    }
  });

  it('needs --yes where no one can answer', async () => {
    const { exitCode, stderr } = await secretsctl(['delete', 'database'], { input: 'y\n' });
    expect([exitCode, stderr]).toEqual([2, 'secretsctl: no one can answer a question here\nUse --yes.\n']);
    expect(Object.keys(await stored('database'))).toHaveLength(2);
  });

  it('keeps nothing with --purge', async () => {
    await secretsctl(['set', 'database', 'password=-'], { input: 'second' });
    expect((await secretsctl(['delete', 'database', '--purge', '--yes'])).exitCode).toBe(0);
    expect((await secretsctl(['undelete', 'database'])).exitCode).toBe(5);
    expect(await stateOf(stack.kube, namespace)).toEqual([]);
  });
});

describe('undelete', () => {
  it('takes the UID where several have the name, and another name', async () => {
    for (const value of ['one', 'two']) {
      await secretsctl(['create', 'twice', 'a=-'], { input: value });
      await secretsctl(['delete', 'twice', '--yes']);
    }
    const { stdout } = await secretsctl(['list', '--deleted', '-o', 'json']);
    const deleted = JSON.parse(stdout.toString()) as { uid: string; deletedAt: string }[];
    const [first] = deleted.sort((one, other) => one.deletedAt.localeCompare(other.deletedAt));
    const args = ['undelete', 'twice', '--uid', first?.uid ?? '', '--as', 'once'];
    expect((await secretsctl(args)).stdout.toString()).toBe(`${namespace}/once: restored (version 1)\n`);
    expect(await stored('once')).toEqual({ a: Buffer.from('one').toString('base64') });
  });
});
