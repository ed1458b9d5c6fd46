import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { debianProgram } from '../../harness/debian-program.ts';
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../../hostile-idp/start-token-issuer.ts';
import { startStack, type Stack } from '../../harness/stack.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';

const page = readDocument('api-clients.md');
const CONFLICT = 'This Secret was changed meanwhile; reload it and try again';

/** Each language's blocks, one after the other, as a reader would run them. */
function programOf(fence: string): string {
  return [...page.matchAll(/```(\w+)\n([^`]*(?:`[^`][^`]*)*)```/g)]
    .filter(([, language]) => language === fence)
    .map(([, , code = '']) => code)
    .join('\n');
}

describe('the samples of docs/api-clients.md', { timeout: 60_000 }, () => {
  let stack: Stack;
  let folder: string;
  let issuer: TokenIssuer;

  beforeAll(async () => {
    issuer = await startTokenIssuer();
    const requiredClaims = { project_id: '7' };
    const trusted = [{ name: 'ci', issuer: issuer.issuer, audience: AUDIENCE, requiredClaims }];
    stack = await startStack({
      env: {
        OIDC_ISSUER: 'http://localhost:9',
        OIDC_CLIENT_ID: 'web',
        OIDC_ALLOW_HTTP: 'true',
        SERVICE_TRUSTED_ISSUERS: JSON.stringify(trusted),
      },
    });
    folder = mkdtempSync(path.join(tmpdir(), 'api-clients-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await stack.close();
    await issuer.close();
  });

  /** As whom a program runs. */
  const SENDERS = {
    person: async () => ({ COOKIE: await sessionCookie(DEVELOPER_A) }),
    machine: async (namespace: string) => {
      const binding = { issuer: 'ci', claims: { project_id: '7' } };
      const machines = [
        { ...binding, name: 'create', level: 'write', secrets: '*' },
        { ...binding, name: 'database', level: 'manage', secrets: ['database'] },
      ];
      await stack.kube.setPolicy(namespace, { machines: JSON.stringify(machines) });
      return { TOKEN: issuer.token() };
    },
  };
  type Sender = keyof typeof SENDERS;
  const senders: readonly Sender[] = ['person', 'machine'];

  interface Program {
    readonly file: string;
    readonly command: readonly [string, ...string[]];
    readonly env?: object;
  }

  /** @returns the lines that the program prints */
  async function run(sender: Sender, fence: string, { file, command, env }: Program) {
    const program = path.join(folder, file);
    writeFileSync(program, programOf(fence));
    const [executable, ...args] = command;
    const namespace = await stack.namespace();
    const { stdout } = await promisify(execFile)(executable, [...args, program], {
      env: {
        PATH: process.env['PATH'],
        SERVICE: stack.service.url,
        NAMESPACE: namespace,
        ...(await SENDERS[sender](namespace)),
        ...env,
      },
    });
    return stdout.trim().split('\n');
  }

  it.each(senders)('in curl run as a %s', async (sender) => {
    const jq = debianProgram('jq');
    const env = { ...jq.env, PATH: `${path.dirname(jq.path)}:${process.env['PATH'] ?? ''}` };
    const command = ['bash', '-euo', 'pipefail'] as const;
    expect(await run(sender, 'sh', { file: 'client.sh', command, env })).toEqual([
      ...['["database"]', '["password","username"]', '2', `"${CONFLICT}"`, '[2,1]', '"database"'],
    ]);
  });

  it.each(senders)('in TypeScript run as a %s', async (sender) => {
    expect(await run(sender, 'ts', { file: 'client.mts', command: [process.execPath] })).toEqual([
      ...["[ 'database' ]", "[ 'password', 'username' ]", '2', CONFLICT, '[ 2, 1 ]', 'database'],
    ]);
  });

  it.each(senders)('in Python run as a %s', async (sender) => {
    const { path: python, root, env } = debianProgram('python3');
    const home = root === '/' ? {} : { PYTHONHOME: path.join(root, 'usr') };
    const program = { file: 'client.py', command: [python], env: { ...env, ...home } } as const;
    expect(await run(sender, 'python', program)).toEqual([
      ...["['database']", "['password', 'username']", '2', CONFLICT, '[2, 1]', 'database'],
    ]);
  });
});
