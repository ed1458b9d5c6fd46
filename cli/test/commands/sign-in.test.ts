import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN, DEVELOPER_A } from '../../../test/harness/api-client.ts';
import { rawExchange } from '../../../test/harness/raw-request.ts';
import { nativeSecret } from '../../../test/harness/secret-paths.ts';
import {
  codeFor,
  file,
  folder,
  issuer,
  login,
  namespace,
  openCommandFixture,
  secretsctl,
  stack,
  start,
} from '../fixture.ts';

openCommandFixture();

/** A home of its own, where no one has signed in. */
let home: { readonly XDG_STATE_HOME: string };
const state = () => join(home.XDG_STATE_HOME, 'secretsctl');
beforeEach(() => {
  home = { XDG_STATE_HOME: join(folder, 'state') };
});

let other: Server | undefined;
afterEach(() => {
  other?.closeAllConnections();
  other?.close();
  other = undefined;
});

describe('login', () => {
  it('takes a pasted code, and keeps the token in a file for its owner alone', async () => {
    const { exitCode, stdout, stderr } = await login(ADMIN, home);
    expect([exitCode, stdout.toString()]).toEqual([0, '']);
    expect(stderr).toMatch(/Signed in at \S+ as admin@example\.com, until 20/);
    expect(readdirSync(state()).sort()).toEqual([`${encodeURIComponent(stack.url)}.json`, 'server']);
    expect(statSync(state()).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(state())) expect(statSync(join(state(), name)).mode & 0o777).toBe(0o600);
    const me = await secretsctl(['whoami', '-o', 'json'], { environment: home });
    expect(JSON.parse(me.stdout.toString())).toMatchObject({ server: stack.url, email: 'admin@example.com' });
  });

  it('makes it the service of later commands, until logout', async () => {
    await login(DEVELOPER_A, home);
    const later = { ...home, SECRETSCTL_SERVER: '' };
    const me = await secretsctl(['whoami'], { environment: later });
    expect(me.stdout.toString()).toBe(`developer-a@example.com at ${stack.url}\nGroups: team-a\n`);
    expect((await secretsctl(['logout'], { environment: later })).exitCode).toBe(0);
    const out = await secretsctl(['whoami'], { environment: later });
    expect([out.exitCode, out.stderr]).toEqual([
      3,
      `secretsctl: you are not signed in at ${stack.url}\nRun: secretsctl login --server ${stack.url}\n`,
    ]);
  });

  it.each(['nonsense', 'with space', ''])(
    'ends with an error for the code "%s", and keeps nothing',
    async (code) => {
      const started = start(['login', '--no-browser'], { environment: home });
      await started.printed(/cli\?challenge=/);
      started.type(code);
      expect((await started.ended()).exitCode).not.toBe(0);
      expect(readdirSync(state())).toEqual([]);
    },
  );

  it('refuses the code of another sign-in', async () => {
    const started = start(['login', '--no-browser'], { environment: home });
    const address = await started.printed(/http:\S+\/cli\?\S+/);
    const elsewhere = new URL(address);
    elsewhere.searchParams.set('challenge', 'A'.repeat(43));
    started.type(await codeFor(DEVELOPER_A, elsewhere.href));
    const { exitCode, stderr } = await started.ended();
    expect([exitCode, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      3,
      'secretsctl: the code is not accepted: it counts for a minute only',
    ]);
  });

  it('hands the address to the browser, and takes the code that comes back to loopback with its state', async () => {
    const opened = join(folder, 'opened');
    const browser = file('browser', `#!/bin/sh\nprintf %s "$1" > ${opened}\n`);
    const started = start(['login'], { environment: { ...home, BROWSER: browser } });
    const address = new URL(await started.printed(/http:\S+\/cli\?\S+/));
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(address.href);
    const back = new URL(`http://127.0.0.1:${address.searchParams.get('port') ?? ''}/`);
    const visit = (query: Readonly<Record<string, string>>, path = '/') => {
      const target = new URL(path, back);
      target.search = new URLSearchParams(query).toString();
      return fetch(target);
    };
    const code = await codeFor(DEVELOPER_A, address.href);
    const ownState = address.searchParams.get('state') ?? '';
    expect((await visit({ code, state: 'x'.repeat(ownState.length) })).status).toBe(400);
    expect((await visit({ code, state: ownState }, '/else')).status).toBe(404);
    const done = await visit({ code, state: ownState });
    expect([done.status, new URL(done.url).search]).toEqual([200, '']);
    expect(await done.text()).toContain('You are signed in.');
    expect((await started.ended()).exitCode).toBe(0);
    expect((await secretsctl(['whoami'], { environment: home })).exitCode).toBe(0);
  });

  it('ends with 3 when it is cancelled in the browser', async () => {
    const started = start(['login'], { environment: { ...home, BROWSER: 'true' } });
    const { searchParams } = new URL(await started.printed(/http:\S+\/cli\?\S+/));
    const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' });
    await fetch(`http://127.0.0.1:${searchParams.get('port') ?? ''}/?${query.toString()}`);
    const { exitCode, stderr } = await started.ended();
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining('the sign-in was cancelled in the browser'),
    ]);
  });

  it('goes on after a request to loopback whose target is no address', async () => {
    const started = start(['login'], { environment: { ...home, BROWSER: 'true' } });
    const { searchParams } = new URL(await started.printed(/http:\S+\/cli\?\S+/));
    const loopback = `http://127.0.0.1:${searchParams.get('port') ?? ''}`;
    expect(await rawExchange(loopback, 'GET // HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /);
    const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' });
    await fetch(`${loopback}/?${query.toString()}`);
    expect((await started.ended()).exitCode).toBe(3);
  });

  it.each([
    ['at the code', ['login', '--no-browser'], true],
    ['before the browser comes back', ['login'], false],
  ])('leaves nothing behind when Ctrl-C ends it %s', async (_when, args, terminal) => {
    const started = start(args, { environment: { ...home, BROWSER: 'true' }, terminal });
    await started.printed(terminal ? /the code, not shown: / : /cli\?challenge=/);
    if (terminal) started.type('\u0003');
    else started.kill('SIGINT');
    const { exitCode, stdout } = await started.ended();
    expect([exitCode ?? 130, stdout.toString()]).toEqual([130, expect.not.stringContaining('    at ')]);
    expect(readdirSync(state())).toEqual([]);
  });

  it.each([
    ['http://secrets.example.com', 'must begin with https://'],
    ['ftp://localhost', 'must begin with https://'],
    ['https://user:password@secrets.example.com', 'more than a host and a port'],
    ['https://secrets.example.com/path', 'more than a host and a port'],
    ['secrets.example.com', 'is no URL'],
  ])('refuses the address %s', async (server, rule) => {
    const { exitCode, stderr } = await secretsctl(['login', '--server', server], { environment: home });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(rule)]);
    expect(stderr).not.toContain('password');
  });
});

describe('the token', () => {
  it('of one service is not sent to another', async () => {
    const received: (string | undefined)[] = [];
    other = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end();
    });
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
    await login(DEVELOPER_A, home);
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await secretsctl(['list', '--server', url], { environment: home })).exitCode).toBe(3);
    expect(received).toEqual([]);
  });

  it('does not follow a redirect to another place', async () => {
    const received: (string | undefined)[] = [];
    other = createServer(({ url, headers }, response) => {
      received.push(headers.authorization);
      if (url !== '/stolen') response.writeHead(302, { location: '/stolen' });
      response.end();
    });
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const args = ['list', '--server', url, '--token-file', file('token', 'abc')];
    const { exitCode, stderr } = await secretsctl(args, { environment: home });
    expect([exitCode, stderr]).toEqual([
      1,
      `secretsctl: ${url} answered with status 302, but not as this service does\n`,
    ]);
    expect(received).toEqual(['Bearer abc']);
  });

  it('that others can read is refused, and is never sent', async () => {
    await login(DEVELOPER_A, home);
    chmodSync(join(state(), `${encodeURIComponent(stack.url)}.json`), 0o644);
    const { exitCode, stderr } = await secretsctl(['list'], { environment: home });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('others can read')]);
  });

  it.each([
    ['the file that is named', (token: string) => ({ args: ['--token-file', file('t', token)], env: {} })],
    [
      'SECRETSCTL_TOKEN_FILE',
      (token: string) => ({ args: [], env: { SECRETSCTL_TOKEN_FILE: file('t', token) } }),
    ],
    ['a job of GitLab', (token: string) => ({ args: [], env: { SECRETSCTL_ID_TOKEN: token } })],
  ])('of a machine comes from %s', async (_what, from) => {
    await stack.kube.createSecret(namespace, nativeSecret('database', { password: 'first' }));
    const { args, env } = from(issuer.token());
    const { stdout } = await secretsctl(['get', 'database', 'password', ...args], {
      environment: { ...home, ...env },
    });
    expect(stdout.toString()).toBe('first');
  });

  it('of a job of GitHub is fetched by the job, for the audience that is set', async () => {
    const requested: unknown[] = [];
    other = createServer(({ url, headers }, response) => {
      requested.push([url, headers.authorization]);
      response.end(JSON.stringify({ value: issuer.token() }));
    });
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/token?api-version=2`;
    const github = {
      ACTIONS_ID_TOKEN_REQUEST_URL: url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
      SECRETSCTL_AUDIENCE: 'secrets-management',
    };
    const { exitCode } = await secretsctl(['history', 'absent'], { environment: { ...home, ...github } });
    expect(exitCode).toBe(5);
    // Two requests with one token: it is fetched again only when it expires.
    expect(requested).toEqual([['/token?api-version=2&audience=secrets-management', 'bearer of-the-runner']]);
  });

  it.each(['', 'two words', 'nul\0', 'x'.repeat(8_193)])('that is none is not sent: %j', async (text) => {
    const args = ['list', '--token-file', file('token', text)];
    const { exitCode, stderr } = await secretsctl(args, { environment: home });
    expect([exitCode, stderr]).toEqual([3, `secretsctl: ${join(folder, 'token')} has no token\n`]);
  });

  it('that is refused ends with 3', async () => {
    const args = ['list', '--token-file', file('token', 'abc.def.ghi')];
    expect((await secretsctl(args, { environment: home })).exitCode).toBe(3);
    const { stderr } = await secretsctl(['whoami', '--token-file', file('token', 'abc')], {
      environment: home,
    });
    expect(stderr).toContain('the token is refused');
  });

  it('of a session that has ended is not sent', async () => {
    await login(DEVELOPER_A, home);
    const path = join(state(), `${encodeURIComponent(stack.url)}.json`);
    const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...kept, expiresMs: Date.now() }));
    const { exitCode, stderr } = await secretsctl(['list'], { environment: home });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('your session has ended')]);
  });
});
