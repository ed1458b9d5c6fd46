import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { nativeSecret } from '../../../test/harness/secret-paths.ts';
import {
  environment,
  folder,
  machineEnvironment,
  namespace,
  openCommandFixture,
  secretsctl,
  stack,
  start,
  stored,
} from '../fixture.ts';
import { startIngress } from '../ingress.ts';
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

describe('the file of a value', () => {
  it('may be without an end, as /dev/zero is: no more is read than a Secret can hold', async () => {
    const { exitCode, stderr } = await secretsctl(['set', 'app', 'password=@/dev/zero']);
    expect([exitCode, stderr]).toEqual([
      1,
      'secretsctl: the value of password is larger than a Secret can be (1 MiB)\n',
    ]);
  });

  it('may be a FIFO, which Ctrl-C ends while no one writes to it', async () => {
    await bash('mkfifo f');
    const ingress = await startIngress(stack.url, 'none');
    const own = { ...machineEnvironment(), SECRETSCTL_SERVER: ingress.url };
    const started = start(['set', 'app', 'password=@f'], { environment: own, cwd: folder });
    await expect.poll(() => ingress.methods).toEqual(['GET']);
    await sleep(500);
    started.kill('SIGINT');
    expect(await started.exited()).toBe(130);
    ingress.close();
    await bash('mkfifo g; printf new > g & s set app password=@g');
    expect(await stored('app')).toEqual({ password: Buffer.from('new').toString('base64') });
  });
});

it('a note that no one reads does not end a command before it writes', async () => {
  // The line break at the end of the value is worth a note.
  await bash(
    '{ until [ -e gone ]; do sleep 0.02; done; echo new; } | s set app password=- 2> >(exec <&-; touch gone)',
  );
  expect(await stored('app')).toEqual({ password: Buffer.from('new\n').toString('base64') });
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
