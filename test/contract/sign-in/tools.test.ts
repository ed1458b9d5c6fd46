import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFIDENTIAL_CLIENTS, PUBLIC_CLIENT_ID } from '../../../hack/dev-idp/configuration.ts';
import { startDevIdp, type DevIdp } from '../../../hack/dev-idp/start-dev-idp.ts';
import { parseRevocations } from '../../../src/auth/session/revocations.ts';
import { builtCommand } from '../../harness/built-command.ts';
import { TEST_SESSION_SECRET } from '../../harness/service-process.ts';
import { startServiceFixture, type ComposedService, type Fixture } from './composed-service.ts';

// The helpers as they are called: as processes, by their command lines.

const path = (relative: string): string => new URL(`../../../${relative}`, import.meta.url).pathname;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, timeout: 20_000 };
    const child = execFile(file, args, options, (_failed, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

let fixture: Fixture;
let idp: DevIdp;
let service: ComposedService;
beforeAll(async () => {
  fixture = await startServiceFixture();
  service = await fixture.start(async (url) => {
    idp = await startDevIdp({ port: 0, redirectUris: [`${url}/api/auth/callback`] });
    return { OIDC_ISSUER: idp.issuer, OIDC_CLIENT_ID: PUBLIC_CLIENT_ID, OIDC_ALLOW_HTTP: 'true' };
  });
});
afterAll(async () => {
  await fixture.close();
  await idp.close();
});

async function whoIs(cookie: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/auth/me`, { headers: { cookie } });
  return response.json();
}

describe('hack/sign-in', () => {
  test('prints a Cookie header value that is signed in', async () => {
    const ran = await run(path('hack/sign-in'), [
      '--account',
      'developer-b@example.com',
      '--url',
      service.url,
    ]);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^service_session=[\w.-]+\n$/);
    expect(await whoIs(ran.stdout.trim())).toMatchObject({ user: { email: 'developer-b@example.com' } });
  });

  test('explains itself without a known account', async () => {
    const ran = await run(path('hack/sign-in'), ['--account', 'no-one@example.com']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('developer-a@example.com');
  });

  test('says so when nothing listens', async () => {
    const ran = await run(path('hack/sign-in'), [
      '--account',
      'admin@example.com',
      '--url',
      'http://127.0.0.1:1024',
    ]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('ECONNREFUSED');
  });
});

describe('hack/mint-session', () => {
  const args = ['--email', 'someone@example.com', '--group', 'a', '--group', 'b c', '--name', 'Some One'];

  test('mints a session with the key of the environment', async () => {
    const ran = await run(path('hack/mint-session'), args, { SESSION_SECRET: TEST_SESSION_SECRET });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(await whoIs(ran.stdout.trim())).toEqual({
      user: {
        sub: 'minted:someone@example.com',
        email: 'someone@example.com',
        name: 'Some One',
        groups: ['a', 'b c'],
      },
    });
  });

  test('mints nothing without a good key, and names the setting', async () => {
    const ran = await run(path('hack/mint-session'), args, { SESSION_SECRET: 'too short a key' });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('SESSION_SECRET');
    expect(ran.stderr).not.toContain('too short a key');
  });

  test('mints nothing for an email that could be taken for another one', async () => {
    const kelvin = ['--email', '\u212aate@example.com'];
    const ran = await run(path('hack/mint-session'), kelvin, { SESSION_SECRET: TEST_SESSION_SECRET });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
  });

  test('takes no key as an argument', async () => {
    const ran = await run(path('hack/mint-session'), [...args, '--secret', TEST_SESSION_SECRET]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('hack/revoke-sessions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'revoke-test-'));
  // Prints its arguments, and stores nothing.
  writeFileSync(join(folder, 'kubectl'), '#!/bin/sh\nfor each in "$@"; do echo "<$each>"; done\n', {
    mode: 0o700,
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const revoke = (...args: readonly string[]) =>
    run(path('hack/revoke-sessions'), args, { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
  const entryIn = (stdout: string): readonly [string, string] => {
    const { data } = JSON.parse(/^<(\{.*\})>$/m.exec(stdout)?.[1] ?? '{}') as {
      data: Record<string, string>;
    };
    return Object.entries(data)[0] ?? ['', ''];
  };

  test.each([
    ['Some.One@Example.com', createHash('sha256').update('some.one@example.com').digest('hex')],
    ['--all', '_all'],
  ])('writes an entry that ends every session issued up to now: %s', async (who, wanted) => {
    const before = Date.now();
    const { code, stdout } = await revoke(who);
    expect(code).toBe(0);
    const [key, time] = entryIn(stdout);
    expect(key).toBe(wanted);
    const { malformedCount } = parseRevocations([[key, time]]);
    expect(malformedCount).toBe(0);
    // The next whole second after the moment of the command.
    expect(Date.parse(time)).toBeGreaterThan(before);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(stdout).toContain('<service-revocations>');
  });

  test('takes what is typed for an email as text and nothing else', async () => {
    expect(entryIn((await revoke('a"}}$(id)@b')).stdout)[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([[], [''], ['--everyone'], ['a@example.com', 'b@example.com'], ['\u00e5sa@example.com']])(
    'changes nothing for %j %j',
    async (...args) => {
      expect(await revoke(...args.filter((arg) => typeof arg === 'string'))).toMatchObject({
        code: 2,
        stdout: '',
      });
    },
  );
});

describe('the doctor', () => {
  const env = {
    OIDC_CLIENT_ID: PUBLIC_CLIENT_ID,
    OIDC_ALLOW_HTTP: 'true',
    SESSION_SECRET: TEST_SESSION_SECRET,
  };
  const doctor = (environment: Readonly<Record<string, string>>) =>
    run(process.execPath, [builtCommand('doctor')], environment);

  test('finds the development provider in order', async () => {
    const ran = await doctor({ ...env, OIDC_ISSUER: idp.issuer });
    expect(ran.stdout).not.toMatch(/^FIX/m);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  test('exits with 1 and says what to change', async () => {
    const ran = await doctor({ ...env, OIDC_ISSUER: `${idp.issuer}/` });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^FIX {3}issuer +OIDC_ISSUER must equal/m);
    expect(ran.stdout).not.toContain(TEST_SESSION_SECRET);
  });

  const BASIC = CONFIDENTIAL_CLIENTS.client_secret_basic;
  const POST = CONFIDENTIAL_CLIENTS.client_secret_post;
  const METHOD = 'OIDC_CLIENT_AUTH_METHOD';

  test.each([
    ['basic', { OIDC_CLIENT_ID: BASIC.id, OIDC_CLIENT_SECRET: BASIC.secret }],
    ['post', { OIDC_CLIENT_ID: POST.id, OIDC_CLIENT_SECRET: POST.secret, [METHOD]: 'client_secret_post' }],
  ])('finds a confidential client in order: %s', async (_what, client) => {
    const ran = await doctor({ ...env, OIDC_ISSUER: idp.issuer, ...client });
    expect(ran.stdout).toMatch(/^ok {4}token endpoint +.*\(HTTP 400 invalid_grant\)$/m);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [
      'a wrong secret',
      { OIDC_CLIENT_ID: BASIC.id, OIDC_CLIENT_SECRET: 'c4n4ry' },
      'Correct OIDC_CLIENT_ID or',
    ],
    ['no secret', { OIDC_CLIENT_ID: BASIC.id }, 'Set OIDC_CLIENT_SECRET'],
    ['a secret for a public client', { OIDC_CLIENT_SECRET: 'c4n4ry' }, 'unset OIDC_CLIENT_SECRET'],
    ['another client id', { OIDC_CLIENT_ID: 'c4n4ry' }, 'correct OIDC_CLIENT_ID'],
  ])('finds out about %s, and says what to change', async (_what, client, cure) => {
    const ran = await doctor({ ...env, OIDC_ISSUER: idp.issuer, ...client });
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    const line = /^FIX {3}token endpoint +(.*)$/m.exec(ran.stdout)?.[1];
    expect(line).toMatch(/^\(HTTP 401 invalid_client\)/);
    expect(line).toContain(cure);
    for (const secret of ['c4n4ry', BASIC.secret, TEST_SESSION_SECRET])
      expect(ran.stdout).not.toContain(secret);
  });

  test('names every malformed setting, never its value', async () => {
    const ran = await doctor({ ...env, OIDC_ISSUER: 'c4n4ry', PORT: 'c4n4ry' });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('OIDC_ISSUER must');
    expect(ran.stdout).toContain('PORT must');
    expect(ran.stdout).not.toContain('c4n4ry');
  });
});

describe('the development provider', () => {
  test('says in one line that its port is in use', async () => {
    const ran = await run(process.execPath, [path('hack/dev-idp/main.ts'), '--port', String(idp.port)]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(
      `Port ${idp.port} is in use. Choose another with --port (or DEV_IDP_PORT for make run).\n`,
    );
  });
});
