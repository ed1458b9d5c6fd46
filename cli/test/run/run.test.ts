import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test/harness/eventually.ts';
import { runToEnd, startRun } from './start-run.ts';

const one = (values: Record<string, string | Uint8Array>) => ({ app: values });
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, at) => at);

describe('run', () => {
  it('gives the child the values as variables, and the child its exit code', async () => {
    const result = await runToEnd({ secrets: one({ A: 'x y\n$z' }) }, 'printf "[%s]" "$A"; exit 7');
    expect(result).toMatchObject({ exitCode: 7, stdout: '[x y\n$z]', stderr: 'reading\n' });
  });

  it('passes stdin through', async () => {
    const started = startRun({ secrets: one({ A: 'secret' }), mask: true }, 'cat');
    started.process.stdin?.end('hello\n');
    expect(await started.ended()).toMatchObject({ exitCode: 0 });
    expect(started.output.stdout).toBe('hello\n');
  });

  it('passes no credential of its own, and little else with --no-inherit-env', async () => {
    const environment = {
      SECRETSCTL_TOKEN: 'canary-1',
      SECRETSCTL_TOKEN_FILE: 'canary-2',
      OTHER: 'canary-3',
    };
    const inherited = await runToEnd({ secrets: one({ A: 'x' }), environment }, ['/usr/bin/env']);
    expect(inherited.stdout).toMatch(/^A=x$/m);
    expect(inherited.stdout).toContain('OTHER=canary-3');
    expect(inherited.stdout).not.toMatch(/canary-[12]/);
    const bare = await runToEnd({ secrets: one({ A: 'x' }), environment, inherit: false }, ['/usr/bin/env']);
    expect(bare.stdout).toMatch(/^A=x$/m);
    expect(bare.stdout).not.toContain('canary');
  });

  it('starts nothing, exits with 125 and names the key alone when a value fits in no variable', async () => {
    const result = await runToEnd({ secrets: one({ A: 'canary\0' }) }, 'echo started');
    expect(result).toMatchObject({ exitCode: 125, stdout: '' });
    expect(result.stderr).toContain('key "A"');
    expect(result.stderr).not.toContain('canary');
  });

  it.each([
    ['/nowhere/command', 127],
    ['no-such-command', 127],
    ['/etc/passwd', 126],
    ['/', 126],
  ])('of %s exits with %i', async (command, exitCode) => {
    for (const mask of [false, true]) {
      const result = await runToEnd({ secrets: one({ A: 'canary' }), mask }, [command]);
      expect(result).toMatchObject({ exitCode, stdout: '' });
      expect(result.stderr).toMatch(/^reading\nsecretsctl: .*\n$/);
    }
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
  ])('exits with 128 and the number of the signal %s that ended the child', async (signal, exitCode) => {
    const result = await runToEnd({ secrets: one({ A: 'x' }) }, `kill -${signal.slice(3)} $$`);
    expect(result.exitCode).toBe(exitCode);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const)(
    'forwards %s once',
    async (signal) => {
      const script = `trap 'echo got' ${signal.slice(3)}; echo ready; while ! [ -e end ]; do sleep 0.05; done; exit 3`;
      const started = startRun({ secrets: one({ A: 'x' }) }, script);
      await eventually(() => {
        expect(started.output.stdout).toContain('ready');
      });
      started.process.kill(signal);
      await eventually(() => {
        expect(started.output.stdout).toContain('got');
      });
      writeFileSync(join(started.folder, 'end'), '');
      expect(await started.ended()).toMatchObject({ exitCode: 3 });
      expect(started.output).toEqual({ stdout: 'ready\ngot\n', stderr: 'reading\n' });
    },
  );

  it('leaves the Ctrl-C of a terminal to the terminal, which sends it to the child itself', async () => {
    // A shell handles a signal only after its command, so that it would count two of them as one.
    const script = `process.on('SIGINT', () => console.log('got')); console.log('ready');
      setInterval(() => fs.existsSync('end') && process.exit(3), 50);`;
    const started = startRun({ secrets: one({ A: 'x' }), terminal: true }, [process.execPath, '-e', script]);
    await eventually(() => {
      expect(started.output.stdout).toContain('ready');
    });
    started.process.stdin?.write('\x03');
    await eventually(() => {
      expect(started.output.stdout).toContain('got');
    });
    await setTimeout(300);
    writeFileSync(join(started.folder, 'end'), '');
    expect(await started.ended()).toMatchObject({ exitCode: 3 });
    expect(started.output.stdout.match(/got/g)).toHaveLength(1);
  });

  it('starts nothing after a signal that arrives while it reads', async () => {
    const started = startRun({ secrets: one({ A: 'x' }), readMs: 20_000 }, 'echo started');
    await eventually(() => {
      expect(started.output.stderr).toContain('reading');
    });
    started.process.kill('SIGINT');
    expect(await started.ended()).toMatchObject({ exitCode: 130 });
    expect(started.output.stdout).toBe('');
  });

  it('masks both streams across the borders of chunks', async () => {
    const script = 'printf "a hunt"; sleep 0.2; printf "er22 b"; printf "x$A" >&2; printf %s "$A" | base64';
    const result = await runToEnd({ secrets: one({ A: 'hunter22' }), mask: true }, script);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'a *** b***=\n', stderr: 'reading\nx***' });
  });

  it('ends the child when no one reads its masked output', async () => {
    const started = startRun({ secrets: one({ A: 'hunter22' }), mask: true }, ['yes', 'hunter22']);
    await eventually(() => {
      expect(started.output.stdout).toContain('***');
    });
    started.process.stdout?.destroy();
    // By SIGPIPE, or by the error of a write: the stdout of a child of Node is a socket.
    expect([1, 141]).toContain((await started.ended()).exitCode);
    expect(started.output.stderr).toMatch(/^reading\n(?:yes: .*\n)?$/);
  });

  it('ends on a signal when the child has ended and left something running in its masked output', async () => {
    const script = 'echo printed; echo $$ > shell; sleep 60 & echo $! > sleep; exit 3';
    const started = startRun({ secrets: one({ A: 'hunter22' }), mask: true }, script);
    const idOf = (name: string) => readFileSync(join(started.folder, name), 'utf8').trim();
    await eventually(() => {
      expect(existsSync(`/proc/${idOf('shell')}`)).toBe(false);
    });
    const left = Number(idOf('sleep'));
    onTestFinished(() => void process.kill(left));
    started.process.kill('SIGWINCH');
    await setTimeout(100);
    expect(started.process.exitCode).toBe(null);
    started.process.kill('SIGTERM');
    expect(await started.ended()).toMatchObject({ exitCode: 143 });
    expect(started.output.stdout).toBe('printed\n');
  });

  it('exits with 125 when the system allows no environment of this size', async () => {
    const values = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`A${at}`, 'x'.repeat(100_000)]));
    const result = await runToEnd({ secrets: one(values) }, 'echo started');
    expect(result).toMatchObject({ exitCode: 125, stdout: '' });
    expect(result.stderr).toContain('larger than the system allows');
  });

  it('puts no value into the arguments of any process or its own environment', async () => {
    const started = startRun({ secrets: one({ A: 'canary-value' }) }, 'echo ready; read line');
    await eventually(() => {
      expect(started.output.stdout).toContain('ready');
    });
    const read = (path: string) => {
      try {
        return readFileSync(path, 'latin1');
      } catch {
        return '';
      }
    };
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    expect(processes.filter((id) => read(`/proc/${id}/cmdline`).includes('canary-value'))).toEqual([]);
    expect(read(`/proc/${started.process.pid ?? 0}/environ`)).not.toContain('canary-value');
    started.process.stdin?.end('\n');
    expect(await started.ended()).toMatchObject({ exitCode: 0 });
  });
});

describe('run --mount', () => {
  /** Of this run alone: others may be under way on this computer. */
  let memory: string;
  beforeAll(() => {
    memory = mkdtempSync('/dev/shm/run-test-');
  });
  afterAll(() => {
    rmSync(memory, { recursive: true });
  });
  const mounted = () => ({ mount: 'm', environment: { XDG_RUNTIME_DIR: memory } });

  it('gives the child each key as a file that only its user can read, byte for byte, and removes all', async () => {
    const script = 'stat -L -c %a m; stat -c %a m/tls.crt; cat m/tls.crt; env | grep -c canary';
    const values = { 'tls.crt': EVERY_BYTE, OTHER: 'canary' };
    const result = await runToEnd({ secrets: one(values), ...mounted() }, script);
    expect(result.stdout).toBe(`700\n400\n${Buffer.from(EVERY_BYTE).toString('latin1')}0\n`);
    expect(result.left).toEqual([]);
    expect(readdirSync(memory)).toEqual([]);
  });

  it('does not touch a folder that exists', async () => {
    const started = await runToEnd({ secrets: one({ A: 'x' }), mount: '/tmp' }, 'echo started');
    expect(started).toMatchObject({ exitCode: 125, stdout: '' });
    expect(started.stderr).toContain('/tmp exists');
  });

  it.each(['/nowhere/command', '/etc/passwd'])(
    'leaves nothing behind when %s does not start',
    async (command) => {
      const { left } = await runToEnd({ secrets: one({ A: 'x' }), ...mounted() }, [command]);
      expect(left).toEqual([]);
      expect(readdirSync(memory)).toEqual([]);
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    'leaves nothing behind after %s',
    async (signal) => {
      const started = startRun({ secrets: one({ A: 'x' }), ...mounted() }, 'echo ready; exec sleep 30');
      await eventually(() => {
        expect(started.output.stdout).toContain('ready');
      });
      expect(existsSync(join(started.folder, 'm', 'A'))).toBe(true);
      started.process.kill(signal);
      const { exitCode, left } = await started.ended();
      expect(exitCode).toBeGreaterThan(128);
      expect(left).toEqual([]);
      expect(readdirSync(memory)).toEqual([]);
    },
  );
});
