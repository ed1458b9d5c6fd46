import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { nativeSecret, secretsPath, stateOf } from '../../../test/harness/secret-paths.ts';
import {
  api,
  file,
  folder,
  machineEnvironment,
  memory,
  namespace,
  openCommandFixture,
  stack,
  start,
  stored,
} from '../fixture.ts';
import { startIngress } from '../ingress.ts';

openCommandFixture();

const VALUES = { user: 'orders', settings: 'one\ntwo\nthree\n', blob: Uint8Array.of(0xff, 0) };
const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64');
beforeEach(() => stack.kube.createSecret(namespace, nativeSecret('app', VALUES)));

/** An editor that is a shell script: `$1` is the first file. It keeps where its files were. */
const editor = (script: string) => ({
  EDITOR: file('editor', `#!/bin/sh\ndirname "$1" >> ${join(folder, 'places')}\n${script}\n`),
});
const places = () => readFileSync(join(folder, 'places'), 'utf8').trim().split('\n');
const edit = (script: string, args: readonly string[] = ['edit', 'app']) =>
  start(args, { environment: editor(script), input: '' }).ended();

async function changeMeanwhile(set: Readonly<Record<string, string>>): Promise<void> {
  const secret = await stack.kube.getSecret(namespace, 'app');
  const body = { resourceVersion: secret?.metadata.resourceVersion, set };
  expect((await api.patch(secretsPath(namespace, 'app'), body)).status).toBe(200);
}

/** For an editor that waits until something has happened. */
const waitFor = (name: string) =>
  `touch ${join(folder, 'open')}; while [ ! -e ${join(folder, name)} ]; do sleep 0.02; done`;
const isOpen = () => existsSync(join(folder, 'open'));

describe('edit', () => {
  it('saves what the editor changed, of the texts alone', async () => {
    const { exitCode, stdout } = await edit('ls "$@" > "$HOME/files"; printf new > "$2"', [
      'edit',
      'app',
      '--note',
      'why',
    ]);
    expect([exitCode, stdout.toString()]).toEqual([0, `${namespace}/app: changed user (version 2)\n`]);
    const files = readFileSync(join(folder, 'files'), 'utf8').trim().split('\n');
    expect(files.map((path) => path.split('/').at(-1))).toEqual(['settings', 'user']);
    expect(await stored('app')).toEqual({ ...stored64, user: base64('new') });
  });

  it('keeps its files in memory, for their owner alone, and removes them', async () => {
    await edit(
      'stat -c %a "$1" "$(dirname "$1")" > "$HOME/modes"; echo swap > "$(dirname "$1")/.settings.swp"',
    );
    expect(readFileSync(join(folder, 'modes'), 'utf8')).toBe('600\n700\n');
    expect(places()).toEqual([expect.stringMatching(/^\/(dev\/shm|run\/user)\//)]);
    expect(places().filter((place) => existsSync(place))).toEqual([]);
  });

  it('leaves out a line break that the editor adds at the end, and keeps what was there', async () => {
    await edit('printf "orders2\\n" > "$2"; printf "one\\n" > "$1"');
    expect(await stored('app')).toMatchObject({ user: base64('orders2'), settings: base64('one\n') });
  });

  it.each([
    ['a\r\nb', 'printf "\\r\\n" >> "$1"', 'a\r\nb'],
    ['a\r\nb', 'echo >> "$1"', 'a\r\nb'],
    ['', 'echo new > "$1"', 'new'],
  ])('leaves out of %j one line break at the end, as its others are: %s', async (before, script, after) => {
    await changeMeanwhile({ user: before });
    expect((await edit(script, ['edit', 'app', 'user'])).exitCode).toBe(0);
    expect(await stored('app')).toMatchObject({ user: base64(after) });
  });

  it.each([
    ['nothing was changed', 'true', 0, 'Nothing was changed.\n'],
    ['only a line break was added at the end', 'echo >> "$2"', 0, 'Nothing was changed.\n'],
    ['the editor fails', 'printf new > "$2"; exit 3', 1, expect.stringContaining('the editor failed')],
    ['a file was removed', 'rm "$2"', 0, 'Nothing was changed.\n'],
  ])('writes nothing when %s', async (_what, script, exitCode, message) => {
    const before = await stateOf(stack.kube, namespace);
    const ended = await edit(script);
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, message]);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
    expect(places().filter((place) => existsSync(place))).toEqual([]);
  });

  it.each([
    ['vim', 'VIM - Vi IMproved 9.1', '-i NONE -n -c set nobackup nowritebackup noundofile'],
    ['nvim', 'NVIM v0.10', '-i NONE -n -c set nobackup nowritebackup noundofile'],
    ['vi', 'another vi', ''],
    ['vile', 'VIM - not run', ''],
  ])('has %s write no other files when it is a Vim', async (name, version, options) => {
    const program = file(
      name,
      `#!/bin/sh\n[ "$1" = --version ] && { echo '${version}'; exit; }\necho "$@" > "$HOME/args"\n`,
    );
    const { exitCode } = await start(['edit', 'app', 'user'], {
      environment: { EDITOR: `${program} +3 '-o p'` },
      input: '',
    }).ended();
    expect(exitCode).toBe(0);
    const [, own] = /^\+3 -o p (.*?) ?\/\S+\/user\n$/.exec(readFileSync(join(folder, 'args'), 'utf8')) ?? [];
    expect(own).toBe(options);
  });

  it.each([
    [['edit', 'app', 'absent'], 5],
    [['edit', 'app', 'blob'], 2],
    [['edit', 'absent'], 5],
  ])('%j ends with %i before an editor opens', async (args, exitCode) => {
    expect((await edit('true', args)).exitCode).toBe(exitCode);
    expect(existsSync(join(folder, 'places'))).toBe(false);
  });
});

const stored64 = Object.fromEntries(Object.entries(VALUES).map(([key, value]) => [key, base64(value)]));

describe('an edit that someone else overtakes', () => {
  it('is merged by key', async () => {
    const started = start(['edit', 'app'], { environment: editor(`${waitFor('go')}; printf mine > "$2"`) });
    await expect.poll(isOpen).toBe(true);
    await changeMeanwhile({ settings: 'theirs' });
    file('go', '');
    const { exitCode, stderr } = await started.ended();
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('by developer-a@example.com')]);
    expect(await stored('app')).toMatchObject({ user: base64('mine'), settings: base64('theirs') });
  });

  it('ends with 6 where both changed a key and no one can decide, and saves nothing', async () => {
    const started = start(['edit', 'app'], { environment: editor(`${waitFor('go')}; printf mine > "$2"`) });
    await expect.poll(isOpen).toBe(true);
    await changeMeanwhile({ user: 'theirs' });
    file('go', '');
    const { exitCode } = await started.ended();
    expect(exitCode).toBe(6);
    expect(await stored('app')).toMatchObject({ user: base64('theirs') });
    expect(places().filter((place) => existsSync(place))).toEqual([]);
  });

  /** The first time it edits; later ones it does `again`, and keeps what it saw. */
  const twice = (again: string) =>
    `if [ -e ${join(folder, 'open')} ]; then cat "$1" > ${join(folder, 'saw')}; ${again}; else ${waitFor('go')}; printf 'one\\nmine\\nthree\\n' > "$1"; fi`;

  it('opens again at a terminal with both values between markers, until they are gone', async () => {
    const script = twice(
      `if [ -e ${join(folder, 'second')} ]; then printf 'one\\nboth\\nthree\\n' > "$1"; else touch ${join(folder, 'second')}; echo more >> "$1"; fi`,
    );
    const started = start(['edit', 'app', 'settings'], { environment: editor(script), terminal: true });
    await expect.poll(isOpen).toBe(true);
    await changeMeanwhile({ settings: 'one\ntheirs\nthree\n' });
    file('go', '');
    await started.printed(/was changed by [^\n]+\n[^\n]*Press Enter/);
    started.type('\r');
    await started.printed(/Both values are still in settings/);
    expect(readFileSync(join(folder, 'saw'), 'utf8')).toBe(
      'one\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> saved meanwhile\nthree\n',
    );
    started.type('\r');
    expect((await started.ended()).exitCode).toBe(0);
    expect(await stored('app')).toMatchObject({ settings: base64('one\nboth\nthree\n') });
  });

  it('is given up when the editor leaves the markers as they are', async () => {
    const started = start(['edit', 'app', 'settings'], {
      environment: editor(twice('true')),
      terminal: true,
    });
    await expect.poll(isOpen).toBe(true);
    await changeMeanwhile({ settings: 'theirs' });
    file('go', '');
    await started.printed(/Press Enter/);
    started.type('\r');
    expect((await started.ended()).exitCode).toBe(6);
    expect(await stored('app')).toMatchObject({ settings: base64('theirs') });
  });
});

it('opens its own keys alone when it is overtaken again after it was merged', async () => {
  const changes = [{ user: 'theirs' }, { settings: 'theirs' }];
  const ingress = await startIngress(stack.url, 'none', async (method) => {
    const next = method === 'GET' ? undefined : changes.shift();
    if (next !== undefined) await changeMeanwhile(next);
  });
  const script = 'printf mine > "$1"; echo "$@" >> "$HOME/files"';
  const own = { ...machineEnvironment(), SECRETSCTL_SERVER: ingress.url, ...editor(script) };
  const started = start(['edit', 'app', 'settings'], { environment: own, terminal: true });
  await started.printed(/Press Enter/);
  started.type('\r');
  expect((await started.ended()).exitCode).toBe(0);
  const opened = readFileSync(join(folder, 'files'), 'utf8').trim().split('\n');
  expect(opened).toEqual([expect.stringMatching(/\/settings$/), opened[0]]);
  expect(await stored('app')).toEqual({ ...stored64, user: base64('theirs'), settings: base64('mine') });
  ingress.close();
});

describe('an edit that is refused', () => {
  it('ends with 6 and the reason where no one has overtaken it, as while the Secret is being deleted', async () => {
    await stack.kube.patchSecret(namespace, 'app', { metadata: { finalizers: ['example.com/hold'] } });
    await stack.kube.deleteSecret(namespace, 'app');
    const { exitCode, stderr } = await edit('printf mine > "$2"');
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('This Secret is being deleted')]);
  });

  it('opens again at a terminal with what was typed, and is given up by Ctrl-C', async () => {
    const started = start(['edit', 'app', 'user', '--note', 'x'.repeat(2_000)], {
      environment: editor('printf mine > "$1"'),
      terminal: true,
    });
    await started.printed(/Not saved: [^\n]+\n[^\n]*Press Enter/);
    started.type('\u0003');
    expect((await started.ended()).exitCode).toBe(130);
    expect(await stored('app')).toEqual(stored64);
    expect(places().filter((place) => existsSync(place))).toEqual([]);
  });
});

describe('a signal', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends an edit and removes its files', async (signal, exitCode) => {
    const started = start(['edit', 'app'], { environment: editor(waitFor('never')) });
    await expect.poll(isOpen).toBe(true);
    started.kill(signal);
    expect(await started.exited()).toBe(exitCode);
    expect(places().filter((place) => existsSync(place))).toEqual([]);
    // The editor is not ours to end.
    file('never', '');
    expect(await stored('app')).toEqual(stored64);
  });

  it.each([
    ['Ctrl-C', 'INT', '\u0003'],
    ['Ctrl-\\', 'QUIT', '\u001c'],
  ])('%s is the editor’s while it is open', async (_keys, signal, typed) => {
    const script = `trap 'printf kept > "$1"; exit 0' ${signal}; ${waitFor('never')}`;
    const started = start(['edit', 'app', 'user'], { environment: editor(script), terminal: true });
    await expect.poll(isOpen).toBe(true);
    started.type(typed);
    const { exitCode, stdout } = await started.ended();
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('changed user')]);
    expect(await stored('app')).toMatchObject({ user: base64('kept') });
    expect(readdirSync(memory)).toEqual([]);
  });

  it('SIGQUIT ends a command as other signals do, which removes what it made', async () => {
    const ingress = await startIngress(stack.url, 'none');
    const own = { ...machineEnvironment(), SECRETSCTL_SERVER: ingress.url };
    const started = start(['set', 'app', 'user=-'], { environment: own });
    // It has read the Secret, and waits for the value.
    await expect.poll(() => ingress.methods).toEqual(['GET']);
    started.kill('SIGQUIT');
    expect(await started.exited()).toBe(131);
    ingress.close();
  });

  it('Ctrl-C is the editor’s, too, when it arrives here just after the editor has ended', async () => {
    // It waits for the descriptor of the editor to close: after a long busy loop, the scheduler may run it last.
    const sender = 'read _ < "$HOME/over"; while kill -0 $$ 2>/dev/null; do :; done; kill -INT "$PPID"';
    const script = `mkfifo "$HOME/over"; printf kept > "$1"; (${sender}) & exec 9> "$HOME/over"; exit 0`;
    const { exitCode, stdout } = await edit(script, ['edit', 'app', 'user']);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining('changed user')]);
    expect(await stored('app')).toMatchObject({ user: base64('kept') });
  });
});
