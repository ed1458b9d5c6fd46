import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nativeSecret } from '../../../test/harness/secret-paths.ts';
import { parse } from 'yaml';
import { setTimeout as sleep } from 'node:timers/promises';
import { asMachine, folder, namespace, openCommandFixture, secretsctl, stack, start } from '../fixture.ts';
import { startIngress } from '../ingress.ts';

openCommandFixture();

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const VALUES = { password: 'correct horse', 'tls.key': 'one\ntwo\n', blob: EVERY_BYTE, empty: '' };

beforeEach(() => stack.kube.createSecret(namespace, nativeSecret('database', VALUES)));

const json = async (args: readonly string[]) =>
  JSON.parse((await secretsctl([...args, '-o', 'json'])).stdout.toString()) as unknown;

describe.each([
  ['a person', secretsctl],
  ['a machine', asMachine],
])('%s', (_who, run) => {
  it('reads one value byte for byte, and nothing else', async () => {
    for (const [key, value] of Object.entries(VALUES)) {
      const { stdout, stderr, exitCode } = await run(['get', 'database', key]);
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: Buffer.from(value), stderr: '', exitCode: 0 });
    }
  });

  it('lists namespaces, Secrets and what expires', async () => {
    const spaces = await run(['namespaces']);
    expect(spaces.stdout.toString()).toContain(namespace);
    const list = await run(['list']);
    expect(list.stdout.toString()).toMatch(
      /^NAME {6}TYPE .*\ndatabase {2}Opaque {2}blob,empty,password,tls.key {2}1 /,
    );
    expect((await run(['expiring', '--within', '7d'])).exitCode).toBe(0);
  });

  it('finds a Secret in all namespaces by a key', async () => {
    await expect
      .poll(async () => (await run(['search', 'database', 'TLS'])).stdout.toString())
      .toContain(namespace);
  });
});

describe('get', () => {
  it('describes a Secret without a value', async () => {
    const { stdout } = await secretsctl(['get', 'database']);
    expect(stdout.toString()).toContain(`Name:          ${namespace}/database`);
    expect(stdout.toString()).toMatch(/blob {6}binary\n/);
    expect(stdout.toString()).not.toContain('correct horse');
  });

  it('says on standard error that a list is empty', async () => {
    const { stdout, stderr, exitCode } = await secretsctl(['list', '--deleted']);
    expect([exitCode, stdout.toString(), stderr]).toEqual([0, '', 'There is nothing that you can see.\n']);
  });

  it('takes the namespace from the name, which is stronger than -n', async () => {
    const { exitCode } = await secretsctl(['get', '-n', 'other', `${namespace}/database`, 'password']);
    expect(exitCode).toBe(0);
  });

  it('writes an .env text, and names what that cannot have', async () => {
    await stack.kube.createSecret(
      namespace,
      nativeSecret('env', { A: '$x', B: "it's", C: `'"`, D: EVERY_BYTE, E: 'a\\', F: 'a\\n' }),
    );
    const { stdout, stderr } = await secretsctl(['get', 'env', '-o', 'env']);
    expect(stdout.toString()).toBe(`A='$x'\nB="it's"\nF='a\\n'\n`);
    expect(stderr).toBe('An .env text cannot have: C, D, E\n');
  });

  it('writes JSON, with base64 for what is no text', async () => {
    expect(await json(['get', 'database'])).toEqual({
      password: 'correct horse',
      'tls.key': 'one\ntwo\n',
      blob: { base64: Buffer.from(EVERY_BYTE).toString('base64') },
      empty: '',
    });
  });

  it('writes a manifest that makes the same Secret', async () => {
    const { stdout } = await secretsctl(['get', 'database', '-o', 'yaml']);
    expect(parse(stdout.toString())).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'database', namespace },
      type: 'Opaque',
      data: Object.fromEntries(
        Object.entries(VALUES).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
      ),
    });
  });

  it('writes a new folder of files for their owner alone, and none into one that is there', async () => {
    const target = join(folder, 'values');
    expect((await secretsctl(['get', 'database', '-o', `dir=${target}`])).exitCode).toBe(0);
    for (const [key, value] of Object.entries(VALUES)) {
      expect(readFileSync(join(target, key))).toEqual(Buffer.from(value));
      expect(statSync(join(target, key)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(target).mode & 0o777).toBe(0o700);
    const again = await secretsctl(['get', 'database', '-o', `dir=${target}`]);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      `secretsctl: the folder ${target} cannot be made: it must be new\n`,
    ]);
  });

  it('writes a text to a terminal with a line break, and no bytes that would disturb it', async () => {
    const text = await start(['get', 'database', 'password'], { terminal: true }).ended();
    expect(text.stdout.toString()).toBe('correct horse\r\n');
    const binary = await start(['get', 'database', 'blob'], { terminal: true }).ended();
    expect(binary.exitCode).toBe(1);
    expect(binary.stdout.toString()).toContain('the value of blob is binary');
    await stack.kube.createSecret(namespace, nativeSecret('c1', { a: 'x\u009b31mred' }));
    const control = await start(['get', 'c1', 'a'], { terminal: true }).ended();
    expect([control.exitCode, control.stdout.toString()]).toEqual([1, expect.not.stringContaining('red')]);
    const env = await start(['get', 'c1', '-o', 'env'], { terminal: true }).ended();
    expect([env.exitCode, env.stdout.toString()]).toEqual([1, expect.not.stringContaining('red')]);
    expect((await secretsctl(['get', 'c1', '-o', 'env'])).stdout.toString()).toBe("a='x\u009b31mred'\n");
  });

  it.each([
    ['a Secret', ['get', 'absent', 'password']],
    ['a Secret as a whole', ['get', 'absent', '-o', 'env']],
    ['a key', ['get', 'database', 'absent']],
    ['a version', ['get', 'database', 'password', '--version', '7']],
  ])('ends with 5 for %s that does not exist', async (_what, args) => {
    const { exitCode, stdout } = await secretsctl(args);
    expect([exitCode, stdout.toString()]).toEqual([5, '']);
  });

  it('makes no folder for a Secret that does not exist', async () => {
    await secretsctl(['get', 'absent', '-o', `dir=${join(folder, 'no')}`]);
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });
});

describe('history and diff', () => {
  beforeEach(async () => {
    await secretsctl(['set', 'database', 'password=-', '--note', 'rotated'], { input: 'second' });
    await secretsctl(['unset', 'database', 'empty']);
  });

  it('lists versions with who, which keys and the note, the newest first', async () => {
    const { stdout } = await secretsctl(['history', 'database']);
    const rows = stdout.toString().trimEnd().split('\n');
    expect(rows.slice(1).map((row) => row.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))).toEqual([
      expect.stringMatching(/^3 \(now\) +TIME +developer-a@example\.com +-empty$/),
      expect.stringMatching(/^2 +TIME +developer-a@example\.com +~password +rotated$/),
      '1',
    ]);
  });

  it('names the author of the live version, although another is written between its reads', async () => {
    const writes = [['set', 'database', 'password=-']];
    const ingress = await startIngress(stack.url, 'none', async (_method, url) => {
      const write = url.endsWith('/versions') ? writes.shift() : undefined;
      // The other read is answered meanwhile.
      if (write !== undefined) await sleep(300).then(() => secretsctl(write));
    });
    const environment = { SECRETSCTL_SERVER: ingress.url };
    await asMachine(['unset', 'database', 'tls.key']);
    const { stdout } = await asMachine(['history', 'database'], { environment });
    expect(stdout.toString()).toMatch(/^5 .* developer-a@example\.com .*\n4 .* machine:/m);
    ingress.close();
  });

  it('reads a value of a version', async () => {
    const one = await secretsctl(['get', 'database', 'password', '--version', '1']);
    expect(one.stdout.toString()).toBe('correct horse');
    expect(await json(['get', 'database', '--version', '2'])).toMatchObject({
      password: 'second',
      empty: '',
    });
  });

  it('compares versions and Secrets by key, with values only when they are wanted', async () => {
    const quiet = await secretsctl(['diff', 'database@1', 'database']);
    expect(quiet.stdout.toString()).toBe('- empty\n~ password\n');
    const shown = await secretsctl(['diff', 'database@1', '@2', '--show']);
    expect(shown.stdout.toString()).toBe('~ password\n    - correct horse\n    + second\n');
    await stack.kube.createSecret(namespace, nativeSecret('copy', { ...VALUES, more: 'x' }));
    expect(await json(['diff', 'database@1', `${namespace}/copy`])).toEqual({
      added: ['more'],
      changed: [],
      removed: [],
    });
    const same = await secretsctl(['diff', 'database', 'database']);
    expect([same.exitCode, same.stdout.toString(), same.stderr]).toEqual([
      0,
      '',
      'The values are the same.\n',
    ]);
  });
});
