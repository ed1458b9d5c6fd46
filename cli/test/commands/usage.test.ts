import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { EXIT } from '../../src/failure.ts';
import { runInProcess } from '../run-in-process.ts';
import { COMMAND, startCommand } from '../start-command.ts';

const home = mkdtempSync(join(tmpdir(), 'cli-usage-'));
afterAll(() => {
  rmSync(home, { recursive: true });
});

const options = { environment: { HOME: home }, input: '' };
const run = (args: readonly string[]) => runInProcess(args, options);
/** The built file, as a process. */
const start = (args: readonly string[]) => startCommand(args, options).ended();

describe('without a service', () => {
  it('lists the commands; with 2 where none was given', async () => {
    const [none, help] = [await start([]), await start(['--help'])];
    expect([none.exitCode, help.exitCode]).toEqual([2, 0]);
    expect(none.stdout).toEqual(help.stdout);
    for (const { name, summary } of COMMANDS)
      expect(help.stdout.toString()).toMatch(`  ${name.padEnd(10)}  ${summary}\n`);
  });

  it.each(COMMANDS.map(({ name }) => [name]))('explains %s', async (name) => {
    const { exitCode, stdout } = await run([name, '--help']);
    expect([exitCode, stdout.toString()]).toEqual([0, expect.stringContaining(`Usage: secretsctl ${name}`)]);
    for (const line of stdout.toString().split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('shows the version of its package', async () => {
    const manifest = readFileSync(path.join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    expect((await start(['--version'])).stdout.toString()).toBe(`${version}\n`);
  });

  it.each([
    [['list', '-n', 'team-a'], 'which service?'],
    [['list', '--server', 'https://localhost:1'], 'which namespace?'],
    [['lst'], 'there is no such command'],
    [['list', 'more'], 'too many arguments: secretsctl list'],
    [['get'], 'an argument is missing: secretsctl get NAME [KEY]'],
    [['list', '--unknown'], 'list does not know the option --unknown'],
    [['list', '-o', 'xml', '--server', 'https://localhost:1'], '--output must be json'],
    [
      ['restore', '-n', 'a', 'b', 'zero', '--server', 'https://localhost:1'],
      'a version is a whole number from 1',
    ],
    [['completion', 'tcsh'], 'the shell must be bash, zsh or fish'],
    [['undelete', '-n', 'a', 'b', '--as', 'Bad Name!', '--dry-run'], 'the name of a Secret'],
    [['undelete', '-n', 'a', 'b', '--as', 'other/name', '--dry-run'], 'the name of a Secret'],
    [['completion', 'constructor'], 'the shell must be bash, zsh or fish'],
    [['generate', '--kind', 'toString'], '--kind must be one of letters'],
  ])('ends with 2 for %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args);
    expect([exitCode, stdout.toString()]).toEqual([EXIT.usage, '']);
    expect(stderr).toMatch(/^secretsctl: /);
    expect(stderr).toContain(message);
  });

  it('ends with 2 for an address of the tokens of GitHub that is none', async () => {
    const environment = { HOME: home, ACTIONS_ID_TOKEN_REQUEST_URL: 'garbage' };
    const args = ['list', '-n', 'a', '--server', 'https://localhost:1'];
    const { exitCode, stderr } = await runInProcess(args, { environment });
    expect([exitCode, stderr]).toEqual([2, 'secretsctl: ACTIONS_ID_TOKEN_REQUEST_URL is no URL\n']);
  });

  it('ends with 125 when run cannot start its command', async () => {
    for (const args of [
      ['run', 'app', '-n', 'a', '--', 'true'],
      ['run', 'app', '-n', 'a', '--server', 'http://127.0.0.1:1', '--', 'true'],
    ])
      expect((await start(args)).exitCode).toBe(125);
  });

  it('is no failure when its reader has enough', () => {
    const line = `'${process.execPath}' '${COMMAND}' --help | head -1`;
    expect(execFileSync('bash', ['-c', `set -o pipefail; ${line}`], { encoding: 'utf8' })).toMatch(
      /^Manage /,
    );
  });
});

describe('completion', () => {
  it('completes commands and options in bash', () => {
    const script = execFileSync(process.execPath, [COMMAND, 'completion', 'bash'], { encoding: 'utf8' });
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _secretsctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          ...words,
        ],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    expect(complete('secretsctl', 'un')).toEqual(['unset', 'undelete']);
    expect(complete('secretsctl', 'delete', '--p')).toEqual(['--purge']);
  });

  it.each(['bash', 'zsh', 'fish'])('has every command for %s', (shell) => {
    const script = execFileSync(process.execPath, [COMMAND, 'completion', shell], { encoding: 'utf8' });
    for (const { name } of COMMANDS) expect(script).toContain(name);
  });
});

describe('the package', () => {
  it('is one file that anyone can run, the man page and the licence', () => {
    const cli = path.join(import.meta.dirname, '..', '..');
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json'], {
        cwd: cli,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ readonly files: readonly { readonly path: string; readonly mode: number }[] }];
    expect(packed.files.map(({ path: name }) => name).sort()).toEqual([
      'README.md',
      'dist/LICENSE',
      'dist/secretsctl.1',
      'dist/secretsctl.cjs',
      'package.json',
    ]);
    expect(packed.files.find(({ path: name }) => name === 'dist/secretsctl.cjs')?.mode).toBe(0o755);
  });
});
