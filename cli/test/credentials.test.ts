import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCredentialStore } from '../src/service/credentials.ts';
import { runInProcess } from './run-in-process.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cli-credentials-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

it.each([['login', '--no-browser'], ['logout']])(
  '%s names a folder that cannot be written, before anything else',
  async (...args) => {
    const state = join(home, 'state');
    writeFileSync(state, '');
    const environment = { SECRETSCTL_SERVER: 'https://localhost:1', XDG_STATE_HOME: state };
    const { exitCode, stderr } = await runInProcess(args, { environment, input: 'code' });
    expect([exitCode, stderr]).toEqual([
      1,
      `secretsctl: the folder ${state}/secretsctl cannot be written\nENOTDIR\n`,
    ]);
  },
);

it('a relative XDG_STATE_HOME counts as none', () => {
  createCredentialStore({ HOME: home, XDG_STATE_HOME: 'relative-state' }).prepare();
  expect([existsSync(join(home, '.local/state/secretsctl')), existsSync('relative-state')]).toEqual([
    true,
    false,
  ]);
});
