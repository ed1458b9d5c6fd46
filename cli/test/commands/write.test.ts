import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEVELOPER_B } from '../../../test/harness/api-client.ts';
import { nativeSecret, secretsPath, stateOf } from '../../../test/harness/secret-paths.ts';
import {
  api,
  asMachine,
  file,
  folder,
  login,
  machineEnvironment,
  namespace,
  openCommandFixture,
  secretsctl,
  stack,
  start,
  stored,
  type CommandOptions,
} from '../fixture.ts';
import type { EndedCommand } from '../start-command.ts';

openCommandFixture();

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64');

beforeEach(() =>
  stack.kube.createSecret(namespace, nativeSecret('database', { password: 'first', user: 'orders' })),
);

describe.each([
  ['a person', secretsctl, 'developer-a@example.com'],
  ['a machine', asMachine, 'machine:'],
])('%s', (_who, run, identity) => {
  it('sets keys from standard input and files, byte for byte, and leaves the others', async () => {
    const blob = file('blob', EVERY_BYTE);
    const { exitCode, stdout } = await run(
      ['set', 'database', 'password=-', `blob=@${blob}`, '--note', 'rotated'],
      {
        input: EVERY_BYTE,
      },
    );
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toBe(`${namespace}/database: added blob; set password (version 2)\n`);
    expect(await stored('database')).toEqual({
      password: base64(EVERY_BYTE),
      user: base64('orders'),
      blob: base64(EVERY_BYTE),
    });
    const history = await api.get(secretsPath(namespace, 'database', 'versions'));
    expect(history.json).toMatchObject({ changeNote: 'rotated' });
    const now = await api.get(secretsPath(namespace, 'database'));
    expect(JSON.stringify(now.json)).toContain(`"lastModifiedBy":"${identity}`);
  });

  it('removes keys, restores one of them, then a whole version', async () => {
    expect((await run(['unset', 'database', 'user', 'password'])).exitCode).toBe(0);
    expect(await stored('database')).toEqual({});
    expect((await run(['restore', 'database', '1', '--key', 'user'])).exitCode).toBe(0);
    expect(await stored('database')).toEqual({ user: base64('orders') });
    const { stdout } = await run(['restore', 'database', '1', '-o', 'json']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ version: 4, keys: ['password', 'user'] });
    expect(await stored('database')).toEqual({ user: base64('orders'), password: base64('first') });
  });

  it('creates, deletes and brings back', async () => {
    const args = ['create', 'fresh', 'key=-', '--description', 'for a test', '--rotate-every', '90d'];
    const created = await run(args, { input: EVERY_BYTE });
    expect([created.exitCode, created.stderr]).toEqual([0, '']);
    expect(await stored('fresh')).toEqual({ key: base64(EVERY_BYTE) });
    expect((await run(['delete', 'fresh', '--yes'])).exitCode).toBe(0);
    expect(await stored('fresh')).toEqual({});
    const { stdout } = await run(['list', '--deleted']);
    expect(stdout.toString()).toMatch(/^fresh {2}key/m);
    expect((await run(['undelete', 'fresh'])).exitCode).toBe(0);
    expect(await stored('fresh')).toEqual({ key: base64(EVERY_BYTE) });
  });

  it('changes a description and dates alone', async () => {
    const dates = ['--expires-at', '2031-01-31T00:00:00Z', '--description', 'orders'];
    expect((await run(['set', 'database', ...dates])).exitCode).toBe(0);
    const { stdout } = await run(['get', 'database']);
    expect(stdout.toString()).toMatch(/^Description: +orders$/m);
    expect(stdout.toString()).toMatch(/^Expires: +2031-01-31/m);
  });
});

describe('set', () => {
  it('sets a whole Secret of files, as many as there are', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    const assignments = names.map((name) => `${name}=@${file(name, name)}`);
    expect((await secretsctl(['set', 'database', ...assignments])).exitCode).toBe(0);
    expect(Object.keys(await stored('database'))).toHaveLength(42);
  });

  it('says that a value ends with a line break, which it keeps', async () => {
    const { stderr } = await secretsctl(['set', 'database', 'password=-'], { input: 'second\n' });
    expect(stderr).toBe('note: the value of password ends with a line break; printf writes none\n');
    expect(await stored('database')).toMatchObject({ password: base64('second\n') });
  });

  it('reads a value that is typed at a terminal without showing it', async () => {
    const typed = start(['set', 'database', 'password=-'], { terminal: true });
    await typed.printed(/the value of password, not shown: /);
    typed.type('typed-value\r');
    const { stdout, exitCode } = await typed.ended();
    expect(exitCode).toBe(0);
    expect(stdout.toString()).not.toContain('typed-value');
    expect(await stored('database')).toMatchObject({ password: base64('typed-value') });
  });

  it.each([
    [['set', 'database', 'password=hunter2']],
    [['set', 'database', 'hunter2']],
    [['set', 'database', 'a=-', 'b=-']],
    [['set', 'database', 'a=-', 'a=-']],
    [['set', 'database']],
    [['set', 'Bad_Name', 'a=-']],
    [['set', 'database', 'b@d=-']],
    [['create', 'fresh', 'password=hunter2']],
    [['unset', 'database', 'hunter2=']],
    [['set', 'database', '--password', 'hunter2']],
    [['set', 'database', '--hunter2']],
    [['set', 'database', '--note']],
  ])('refuses %j with 2, without a word of what may be a value', async (args) => {
    const before = await stateOf(stack.kube, namespace);
    const { exitCode, stderr, stdout } = await secretsctl(args, { input: 'x' });
    expect([exitCode, stdout.toString()]).toEqual([2, '']);
    if (!args.includes('--hunter2')) expect(stderr).not.toContain('hunter2');
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });

  it('refuses more than a Secret can have before anything is sent', async () => {
    const { exitCode, stderr } = await secretsctl(['set', 'database', 'a=-'], {
      input: Buffer.alloc(1_100_000),
    });
    expect([exitCode, stderr]).toEqual([
      1,
      'secretsctl: the value of a is larger than a Secret can be (1 MiB)\n',
    ]);
  });

  it('names a file that cannot be read', async () => {
    const { exitCode, stderr } = await secretsctl(['set', 'database', `a=@${join(folder, 'absent')}`]);
    expect([exitCode, stderr]).toEqual([
      1,
      `secretsctl: the file ${join(folder, 'absent')} cannot be read (ENOENT)\n`,
    ]);
  });
});

describe('a dry run', () => {
  it.each([
    ['set', ['set', 'database', 'password=-']],
    ['unset', ['unset', 'database', 'user']],
    ['create', ['create', 'fresh', 'password=-']],
    ['delete', ['delete', 'database']],
    ['delete --purge', ['delete', 'database', '--purge']],
    ['undelete', ['undelete', 'gone']],
    ['restore', ['restore', 'database', '1']],
    ['access', ['access', 'database', '--allow', 'read=group:auditors']],
    ['edit', ['edit', 'database', 'user']],
  ])('of %s writes nothing', async (_name, args) => {
    await secretsctl(['set', 'database', 'password=-'], { input: 'second' });
    await secretsctl(['create', 'gone', 'a=-'], { input: 'x' });
    await secretsctl(['delete', 'gone', '--yes']);
    const before = await stateOf(stack.kube, namespace);
    const editor = file('editor', '#!/bin/sh\nprintf changed > "$1"\n');
    const options: CommandOptions = { input: 'third', environment: { EDITOR: editor } };
    const { exitCode, stdout } = await secretsctl([...args, '--dry-run'], options);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('nothing was done')]);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });
});

describe('access', () => {
  const rules = async () => {
    const { stdout } = await secretsctl(['access', 'database', '-o', 'json']);
    return (JSON.parse(stdout.toString()) as { rules: unknown }).rules;
  };

  it('shows and changes who may what, and needs a yes before the first rule', async () => {
    const first = [
      'access',
      'database',
      '--allow',
      'manage=group:team-a',
      '--allow',
      'read=Auditor@Example.com',
    ];
    expect((await secretsctl(first)).exitCode).toBe(2);
    expect((await secretsctl([...first, '--yes'])).exitCode).toBe(0);
    expect(await rules()).toEqual([
      { level: 'manage', who: 'group:team-a' },
      { level: 'read', who: 'auditor@example.com' },
    ]);
    const { stdout } = await secretsctl(['access', 'database']);
    expect(stdout.toString()).toMatch(/^You: manage, by .+\nLEVEL {3}WHO\nmanage {2}group:team-a\n/);
    expect((await secretsctl(['access', 'database', '--remove', 'read=auditor@example.com'])).exitCode).toBe(
      0,
    );
    expect(await rules()).toEqual([{ level: 'manage', who: 'group:team-a' }]);
    expect((await secretsctl(['access', 'database', '--remove', 'read=auditor@example.com'])).exitCode).toBe(
      5,
    );
  });

  it('needs a yes before the first list of all, of readers too, and none for the next', async () => {
    const allow = (group: string) => ['access', 'database', '--allow', `read=group:${group}`];
    expect((await secretsctl(allow('auditors'))).exitCode).toBe(2);
    expect((await secretsctl([...allow('auditors'), '--yes'])).exitCode).toBe(0);
    expect((await secretsctl(allow('testers'))).exitCode).toBe(0);
  });

  it('needs a yes before the last list of all goes, of readers too', async () => {
    const change = async (what: string, ...more: string[]) =>
      (await secretsctl(['access', 'database', what, 'read=group:auditors', ...more])).exitCode;
    expect(await change('--allow', '--yes')).toBe(0);
    expect(await change('--remove')).toBe(2);
    expect(await rules()).toEqual([{ level: 'read', who: 'group:auditors' }]);
    expect(await change('--remove', '--yes')).toBe(0);
    expect(await rules()).toEqual([]);
  });

  it('takes away an entry that others have stored, an email in any case', async () => {
    const secret = await stack.kube.getSecret(namespace, 'database');
    const given = { allowedGroups: ['team-a'], allowedUsers: ['Alice@Example.com', 'root'] };
    const body = { resourceVersion: secret?.metadata.resourceVersion, ...given };
    expect((await api.put(secretsPath(namespace, 'database'), body)).status).toBe(200);
    const remove = ['--remove', 'manage=alice@EXAMPLE.com', '--remove', 'manage=root'];
    expect((await secretsctl(['access', 'database', ...remove])).exitCode).toBe(0);
    expect(await rules()).toEqual([{ level: 'manage', who: 'group:team-a' }]);
  });

  it.each(['own=a@example.com', 'read=', 'read=someone', 'read', 'read=machine:a'])(
    'refuses %s',
    async (text) => {
      expect((await secretsctl(['access', 'database', '--yes', '--allow', text])).exitCode).toBe(2);
    },
  );
});

describe('a refusal', () => {
  it.each([
    ['get', ['get', 'database', 'password']],
    ['set', ['set', 'database', 'password=-']],
    ['create', ['create', 'fresh', 'a=-']],
    ['delete', ['delete', 'database', '--yes']],
    ['history', ['history', 'database']],
    ['access', ['access', 'database']],
    ['edit', ['edit', 'database']],
  ])('of %s to someone without access ends with 4, and changes nothing', async (_name, args) => {
    const own = { XDG_STATE_HOME: join(folder, 'other') };
    expect((await login(DEVELOPER_B, own)).exitCode).toBe(0);
    const before = await stateOf(stack.kube, namespace);
    const { exitCode, stdout, stderr } = await secretsctl(args, { input: 'x', environment: own });
    expect([exitCode, stdout.toString()]).toEqual([4, '']);
    expect(stderr).toMatch(/^secretsctl: .+\nrequest [\w-]+\n$/);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
  });
});

describe('generate', () => {
  it('writes a value without a line break into a pipe', async () => {
    const made = async (...args: string[]) => (await start(['generate', ...args]).ended()).stdout.toString();
    expect(await made()).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await made('--kind', 'hex', '--length', '16')).toMatch(/^[0-9a-f]{32}$/);
    expect(await made('--kind', 'uuid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await made('--kind', 'base64', '--length', '48')).toMatch(/^[A-Za-z0-9+/]{64}$/);
    expect(await made()).not.toBe(await made());
  });
});

type Run = (args: readonly string[], options?: CommandOptions) => Promise<EndedCommand>;

/** The key of a Secret as a pipe sees it. */
const pipe = async (run: Run, key: string) => (await run(['get', 'database', key])).stdout;

describe('bytes', () => {
  it.each(['person', 'machine'])('of every value go through pipes and back, as a %s', async (who) => {
    const credentials = who === 'person' ? {} : machineEnvironment();
    const run: Run = (args, options) => start(args, { ...options, environment: credentials }).ended();
    const values = { 'no-end': 'text', lines: '\r\n\n', bom: '\u{FEFF}x', nul: 'a\0b', half: EVERY_BYTE };
    for (const [key, value] of Object.entries(values)) {
      expect((await run(['set', 'database', `${key}=-`], { input: value })).exitCode).toBe(0);
      expect(await pipe(run, key)).toEqual(Buffer.from(value));
    }
    const target = join(folder, `dir-${who}`);
    expect((await run(['get', 'database', '-o', `dir=${target}`])).exitCode).toBe(0);
    for (const [key, value] of Object.entries(values)) {
      expect(readFileSync(join(target, key))).toEqual(Buffer.from(value));
    }
  });
});
