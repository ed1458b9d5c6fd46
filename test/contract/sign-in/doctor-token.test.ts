import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import { builtCommand } from '../../harness/built-command.ts';
import { startInProcessStack, type InProcessStack } from '../../harness/in-process-stack.ts';

const DOCTOR = builtCommand('doctor');

let issuer: TokenIssuer;
let stack: InProcessStack;
let folder: string;

beforeAll(async () => {
  [issuer, stack] = await Promise.all([startTokenIssuer(), startInProcessStack()]);
  folder = mkdtempSync(join(tmpdir(), 'doctor-token-'));
  await Promise.all(['team-a', 'team-b', 'team-c'].map((name) => stack.kube.createNamespace(name)));
  const binding = { issuer: 'ci', claims: { project_id: '7' }, level: 'read', secrets: ['database'] };
  await stack.kube.setPolicy('team-a', {
    machines: JSON.stringify([
      { ...binding, name: 'reader' },
      { ...binding, name: 'release', claims: { project_id: '7', ref: 'c4n4ry', '/a/b': 'c4n4ry' } },
      { ...binding, name: 'elsewhere', issuer: 'other' },
    ]),
  });
  await stack.kube.setPolicy('team-b', {
    machines: JSON.stringify([{ ...binding, name: 'x', level: 'admin' }]),
  });
  await stack.kube.setPolicy('team-c', {
    machines: JSON.stringify([{ ...binding, name: 'y', issuer: 'gone' }]),
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([issuer.close(), stack.close()]);
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

function doctor(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const trusted = [
    { name: 'ci', issuer: issuer.issuer, audience: AUDIENCE, requiredClaims: { project_id: ['7', '8'] } },
    { name: 'other', issuer: 'https://other.example.com', audience: AUDIENCE, requiredClaims: { sub: 'x' } },
  ];
  const environment = {
    PATH: process.env['PATH'],
    KUBECONFIG: write('kubeconfig', stack.dev.kubeconfig()),
    OIDC_ISSUER: 'http://localhost:9',
    OIDC_CLIENT_ID: 'web',
    OIDC_ALLOW_HTTP: 'true',
    SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
    ...env,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [DOCTOR, ...args], { env: environment }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

const examine = (token: string, env = {}): Promise<Ran> =>
  doctor(['--token-file', write('token', `${token}\n`)], env);
/** The line of a step. */
const line = ({ stdout }: Ran, step: string): string =>
  stdout.split('\n').find((text) => text.slice(6).startsWith(`${step} `)) ?? '';

describe('doctor --token-file', { timeout: 60_000 }, () => {
  it('says that the kubeconfig is malformed, and quotes nothing of it', async () => {
    const KUBECONFIG = write('malformed', 'users:\n- name: "c4n4ry\n\ttoken: c4n4ry');
    const ran = await examine(issuer.token(), { KUBECONFIG });
    expect([ran.code, ran.stderr]).toEqual([1, '']);
    expect(line(ran, 'cluster')).toMatch(/^fix /i);
    expect(ran.stdout).not.toContain('c4n4ry');
  });

  it('says which issuer, which claims, and which bindings match or why not, without a value', async () => {
    const token = issuer.token({ claims: { ref: 'v4lue-of-ref', team: { name: 'v4lue-of-team' } } });
    const ran = await examine(token);
    expect(ran.stderr).toBe('');
    expect(line(ran, 'issuer')).toMatch(/^ok .*ci, of SERVICE_TRUSTED_ISSUERS$/);
    expect(line(ran, 'audience')).toMatch(/^ok /);
    expect(line(ran, 'required claim')).toMatch(/^ok .* project_id$/);
    expect(line(ran, 'claims')).toMatch(/aud, exp, iat, iss, jti, project_id, ref, sub, team$/);
    expect(line(ran, 'token')).toMatch(/^ok .*is accepted$/);
    expect(line(ran, 'machine:team-a/reader')).toMatch(/^ok .*read: database$/);
    expect(line(ran, 'machine:team-a/release')).toMatch(/^note .*does not match: ref, \/a\/b$/);
    expect(line(ran, 'machine:team-a/elsewhere')).toMatch(/^note .*is for the issuer other$/);
    expect(line(ran, 'team-b')).toMatch(/^FIX .*machines \[0\]\.level must be read, write or manage$/);
    expect(line(ran, 'machine:team-c/y')).toMatch(/^note .*names an issuer that is not trusted: gone$/);
    expect(ran.stdout).toMatch(/1 to fix before the token works as it should\.\n$/);
    expect(ran.code).toBe(1);
    for (const value of ['v4lue', 'c4n4ry', token, 'project_path', 'run-1-of-job'])
      expect(ran.stdout).not.toContain(value);
  });

  it('is content with a token that works, in the namespaces of the service', async () => {
    const ran = await examine(issuer.token(), { SERVICE_NAMESPACES: 'team-a' });
    expect(ran.stdout).toMatch(/The token is accepted\.\n$/);
    expect(ran.stdout).not.toContain('team-b');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  it.each<[string, Parameters<TokenIssuer['token']>[0], string, RegExp]>([
    ['another issuer', { claims: { iss: 'https://c4n4ry.example' } }, 'issuer', /^FIX .*\(ci, other\)/],
    ['another audience', { claims: { aud: 'c4n4ry' } }, 'audience', /^FIX .*audience of ci/],
    [
      'another project',
      { claims: { project_id: 'c4n4ry' } },
      'required claim',
      /^FIX .*project_id is missing/,
    ],
    ['an expired token', { claims: { iat: 1, exp: 2 } }, 'token', /^FIX .*\((expired|issuedAt)\)/],
    ['no algorithm', { header: { alg: 'none' } }, 'token', /^FIX .*\((algorithm|malformed)\)/],
    ['an unknown key', { header: { kid: 'c4n4ry' } }, 'token', /^FIX .*\(keyUnknown\)/],
    ['a wrong signature', { sign: () => Buffer.from('c4n4ry') }, 'token', /^FIX .*\(signature\)/],
  ])('says what to change: %s', async (_what, forgery, step, expected) => {
    const ran = await examine(issuer.token(forgery));
    expect(line(ran, step)).toMatch(expected);
    expect(ran).toMatchObject({ code: 1, stderr: '' });
    expect(ran.stdout).not.toContain('c4n4ry');
  });

  it('says that no binding matches', async () => {
    const ran = await examine(issuer.token({ claims: { project_id: '8' } }));
    expect(line(ran, 'bindings')).toMatch(/^FIX .*None matches/);
  });

  it('says that no issuer is trusted, that the issuer is down, and that the policies cannot be read', async () => {
    expect(line(await examine(issuer.token(), { SERVICE_TRUSTED_ISSUERS: '' }), 'issuer')).toMatch(
      /^FIX .*set SERVICE_TRUSTED_ISSUERS/,
    );
    const away = write('away', stack.dev.kubeconfig().replaceAll(stack.dev.url, 'http://127.0.0.1:1'));
    expect(line(await examine(issuer.token(), { KUBECONFIG: away }), 'bindings')).toMatch(
      /^FIX .*cannot be read/,
    );
    issuer.behave({ respond: (response) => response.writeHead(500).end('c4n4ry') });
    const down = await examine(issuer.token());
    issuer.behave({});
    expect(line(down, 'token')).toMatch(/^FIX .*\(issuerKeys\).*cannot be checked now/);
    expect(down.stdout).not.toContain('c4n4ry');
  });

  it.each([
    ['no token', 'c4n4ry', 'token', /^FIX .*no JSON Web Token/],
    ['a megabyte', 'c4n4ry'.repeat(200_000), 'token', /^FIX .*no JSON Web Token/],
    ['nothing', '', 'token', /^FIX .*no JSON Web Token/],
  ])('takes a file with %s for what it is', async (_what, text, step, expected) => {
    const ran = await examine(text);
    expect(line(ran, step)).toMatch(expected);
    expect(ran.stdout).not.toContain('c4n4ry');
  });

  it('names a file that cannot be read, and explains itself when used with --login', async () => {
    expect(line(await doctor(['--token-file', join(folder, 'absent')]), 'token file')).toMatch(/^FIX /);
    const both = await doctor(['--token-file', 'x', '--login']);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(both.stderr).toMatch(/^usage: doctor .*--token-file FILE/s);
  });
});
