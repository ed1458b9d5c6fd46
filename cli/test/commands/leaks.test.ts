import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, watch } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PassingRequest } from '../../../test/harness/interception.ts';
import { nativeSecret } from '../../../test/harness/secret-paths.ts';
import {
  file,
  folder,
  issuer,
  memory,
  namespace,
  openCommandFixture,
  secretsctl,
  stack,
  start,
  stored,
} from '../fixture.ts';
import type { StartedCommand } from '../start-command.ts';

openCommandFixture();

/** Of this run alone: others may be under way on this computer. */
const CANARY = `canary-${randomBytes(6).toString('hex')}`;
beforeEach(() =>
  stack.kube.createSecret(namespace, nativeSecret('app', { password: CANARY, user: 'orders' })),
);

/** What any process of the computer could read of others, as root: arguments, and environments but the child's of `run`. */
function otherProcesses(): string {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids
    .flatMap((pid) => ['cmdline', 'environ'].map((name) => readQuietly(join('/proc', pid, name))))
    .join('\n');
}

/** What could be read while a command ran, and how it ended. */
async function watched(started: StartedCommand) {
  const seen: string[] = [];
  const timer = setInterval(() => seen.push(otherProcesses()), 5);
  const ended = await started.ended();
  clearInterval(timer);
  return { ...ended, seen };
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Every file below a folder. */
const filesBelow = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place, name))
    .filter((path) => statSync(path).isFile());

/** What is written to disk by a home, a state and a temporary folder of the command's own. */
const disk = () => ({ HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') });

const COMMANDS: readonly (readonly [readonly string[], string])[] = [
  [['set', 'app', 'password=-'], CANARY],
  [['create', 'fresh', 'password=-'], CANARY],
  [['get', 'app'], ''],
  [['get', 'app', 'password'], ''],
  [['get', 'app', '-o', 'json'], ''],
  [['edit', 'app'], ''],
  [['diff', 'app', 'app'], ''],
  [['run', 'app', '--only', 'password', '--', 'sleep', '0.2'], ''],
];

describe('a value', () => {
  it.each(COMMANDS)(
    'is in no argument or environment of a process, and in no file: %j',
    async (args, input) => {
      const editor = file('editor', '#!/bin/sh\nsleep 0.2\nprintf changed > "$1"\n');
      const started = start(args, { environment: { ...disk(), EDITOR: editor }, input });
      const { seen, exitCode, stderr } = await watched(started);
      expect([exitCode, stderr.includes(CANARY)]).toEqual([0, false]);
      // The environment of the child of `run` is where its values belong, and nowhere else.
      const isRun = args[0] === 'run';
      const withCanary = seen.flatMap((all) => all.split('\n')).filter((one) => one.includes(CANARY));
      expect(withCanary.filter((one) => !isRun || !one.includes(`password=${CANARY}`))).toEqual([]);
      expect(seen.length).toBeGreaterThan(3);
      for (const path of filesBelow(folder))
        expect([path, readQuietly(path).includes(CANARY)]).toEqual([path, false]);
    },
  );

  it('is in no message of a failure', async () => {
    const token = file('token', CANARY);
    for (const args of [
      ['set', 'app', `password=${CANARY}`],
      ['set', 'app', CANARY],
      [CANARY],
      ['get', 'app', `--${CANARY}=x`],
      ['list', `--server=https://${CANARY}@localhost`],
      ['list', '--token-file', token],
      ['access', 'app', '--allow', CANARY],
      ['generate', '--length', CANARY],
      ['run', 'app', '--', join(folder, 'absent')],
    ]) {
      const { exitCode, stdout, stderr } = await start(args, { input: CANARY }).ended();
      expect(exitCode).not.toBe(0);
      const isNamed = args.includes(`--${CANARY}=x`);
      if (!isNamed) expect([args, `${stdout.toString()}${stderr}`.includes(CANARY)]).toEqual([args, false]);
    }
  });

  it('is not in what is written when the answer is of another form', async () => {
    const answers = createServer((_request, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ secrets: CANARY, secret: CANARY }));
    });
    await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve));
    const server = `http://127.0.0.1:${(answers.address() as AddressInfo).port}`;
    for (const args of [['list'], ['get', 'app', '-o', 'json'], ['set', 'app', 'a=-']]) {
      const own = ['--server', server, '--token-file', file('token', 'x')];
      const { exitCode, stdout, stderr } = await start([...args, ...own], { input: CANARY }).ended();
      expect([exitCode, stdout.toString()]).toEqual([1, '']);
      expect(stderr).toMatch(/^secretsctl: .+\n$/);
      expect(stderr).not.toContain(CANARY);
    }
    answers.close();
  });

  it('is in no log of the service', async () => {
    await secretsctl(['set', 'app', 'password=-', '--note', 'rotated'], { input: CANARY });
    await secretsctl(['get', 'app', 'password']);
    expect(stack.log()).not.toContain(CANARY);
    expect(stack.log()).toContain('"app"');
  });
});

describe('the token', () => {
  it('is in no argument or environment, nor in the output', async () => {
    const token = issuer.token();
    const path = file('token', token);
    const own = { ...disk(), XDG_STATE_HOME: join(folder, 'state'), SECRETSCTL_TOKEN_FILE: path };
    const started = start(['run', 'app', '--', 'sh', '-c', 'env; sleep 0.2'], { environment: own });
    const { seen, exitCode, stdout, stderr } = await watched(started);
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toContain(`password=${CANARY}`);
    expect([...seen, stdout.toString(), stderr].filter((one) => one.includes(token))).toEqual([]);
    expect(stdout.toString()).not.toContain('SECRETSCTL_TOKEN_FILE');
  });
});

describe('Ctrl-C', () => {
  const folders = () => readdirSync(memory);

  /** Acts once a file appears, or a request for a Secret reaches the cluster, or is answered by it. */
  function at(moment: string, act: () => Promise<unknown>, over: AbortSignal): void {
    if (moment === 'file') {
      for (const place of [folder, memory]) watch(place, { signal: over }).once('change', () => void act());
      return;
    }
    const [method, answered] = moment.split(' ');
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    const matches = (passing: PassingRequest) =>
      passing.method === method && passing.path.startsWith(secrets);
    stack.between[answered === undefined ? 'before' : 'after'](matches, act);
  }

  it.each([
    ['edit', ['edit', 'app'], ['GET answered', 'PUT', 'file']],
    ['get -o dir', ['get', 'app', '-o', 'dir=values'], ['GET answered', 'file']],
    ['run --mount', ['run', 'app', '--mount', 'mounted', '--', 'sleep', '1'], ['GET answered', 'file']],
    ['set', ['set', 'app', 'password=-', 'user=@user'], ['GET answered', 'PUT answered', 'PUT']],
    ['create', ['create', 'fresh', 'password=-'], ['POST answered']],
  ])('at any moment leaves nothing half-written, and no file: %s', async (_name, args, moments) => {
    const before = folders();
    file('user', 'changed');
    const editor = file('editor', '#!/bin/sh\nprintf changed > "$1"\n');
    for (const moment of moments) {
      const over = new AbortController();
      let isMet = false;
      const started = start(args, { cwd: folder, environment: { EDITOR: editor }, input: 'changed' });
      const interrupt = () => {
        isMet = true;
        started.kill('SIGINT');
        return started.exited();
      };
      at(moment, interrupt, over.signal);
      const { exitCode, stderr } = await started.ended();
      await expect.poll(() => isMet).toBe(true);
      over.abort();
      // A command that has its files may end by itself before the signal.
      if (moment !== 'file') expect([moment, exitCode]).toEqual([moment, 130]);
      expect(stderr).not.toContain('    at ');
      expect(folders()).toEqual(before);
      const left = readdirSync(folder).filter((name) => !['user', 'editor'].includes(name));
      expect([[], ['values']]).toContainEqual(left);
      if (left.length > 0) expect(readdirSync(join(folder, 'values')).sort()).toEqual(['password', 'user']);
      rmSync(join(folder, 'values'), { recursive: true, force: true });
      const now = await stored('app');
      expect(Object.keys(now)).toEqual(['password', 'user']);
      if (args[0] === 'set') expect(now['password'] === now['user'] || isFirst(now)).toBe(true);
    }
  });

  const isFirst = ({ user }: Readonly<Record<string, string>>) =>
    user === Buffer.from('orders').toString('base64');
});

it('no process of a test is left', () => {
  const links = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const here = links.filter((pid) => {
    try {
      return readlinkSync(join('/proc', pid, 'cwd')).startsWith(folder);
    } catch {
      return false;
    }
  });
  expect(here).toEqual([]);
});
