import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { nativeSecret } from '../../../test/harness/secret-paths.ts';
import { environment, folder, namespace, openCommandFixture, stack, stored } from '../fixture.ts';
import { COMMAND } from '../start-command.ts';

openCommandFixture();

beforeEach(() => stack.kube.createSecret(namespace, nativeSecret('app', { password: 'hunter22' })));

/** What a line of bash writes, in which `s` is the command. */
const bash = async (line: string): Promise<string> => {
  const script = `s() { '${process.execPath}' '${COMMAND}' "$@"; }\n${line}`;
  const env = { PATH: process.env['PATH'], ...environment };
  return (await promisify(execFile)('bash', ['-c', script], { cwd: folder, env })).stdout;
};

it('a standard output that cannot be written ends with 1 and says why, although the Secret was changed', async () => {
  const line = 'printf new | s set app password=- 2>&1 > /dev/full; echo "${PIPESTATUS[1]}"';
  expect(await bash(line)).toBe('secretsctl: the output cannot be written (ENOSPC)\n1\n');
  expect(await stored('app')).toEqual({ password: Buffer.from('new').toString('base64') });
});

describe('a reader of standard output that has gone', () => {
  it('ends neither the child of run --mask nor its files, and the exit code is that of the child', async () => {
    const child =
      'trap "" PIPE; echo one; while [ ! -e gone ]; do sleep 0.02; done; echo two; sleep 0.5; cat m/password > saw; exit 7';
    const line = `s run app --mask --mount m -- sh -c '${child}' 2>&- | { read; exec <&-; touch gone; }; echo "\${PIPESTATUS[0]}"`;
    expect(await bash(line)).toBe('7\n');
    expect(readFileSync(join(folder, 'saw'), 'utf8')).toBe('hunter22');
  });
});
