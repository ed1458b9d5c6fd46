import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVELOPER_A, sessionCookie } from '../../harness/api-client.ts';
import { debianProgram } from '../../harness/debian-program.ts';
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

  beforeAll(async () => {
    stack = await startStack();
    folder = mkdtempSync(path.join(tmpdir(), 'api-clients-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await stack.close();
  });

  /** @returns the lines that the program prints */
  async function run(fence: string, file: string, command: readonly [string, ...string[]], env: object = {}) {
    const program = path.join(folder, file);
    writeFileSync(program, programOf(fence));
    const [executable, ...args] = command;
    const { stdout } = await promisify(execFile)(executable, [...args, program], {
      env: {
        PATH: process.env['PATH'],
        SERVICE: stack.service.url,
        NAMESPACE: await stack.namespace(),
        COOKIE: await sessionCookie(DEVELOPER_A),
        ...env,
      },
    });
    return stdout.trim().split('\n');
  }

  it('in curl run', async () => {
    const jq = debianProgram('jq');
    const env = { ...jq.env, PATH: `${path.dirname(jq.path)}:${process.env['PATH'] ?? ''}` };
    expect(await run('sh', 'client.sh', ['bash', '-euo', 'pipefail'], env)).toEqual([
      ...['["database"]', '["password","username"]', '2', `"${CONFLICT}"`, '[2,1]', '"database"'],
    ]);
  });

  it('in TypeScript run', async () => {
    expect(await run('ts', 'client.mts', [process.execPath])).toEqual([
      ...["[ 'database' ]", "[ 'password', 'username' ]", '2', CONFLICT, '[ 2, 1 ]', 'database'],
    ]);
  });

  it('in Python run', async () => {
    const { path: python, root, env } = debianProgram('python3');
    const home = root === '/' ? {} : { PYTHONHOME: path.join(root, 'usr') };
    expect(await run('python', 'client.py', [python], { ...env, ...home })).toEqual([
      ...["['database']", "['password', 'username']", '2', CONFLICT, '[2, 1]', 'database'],
    ]);
  });
});
