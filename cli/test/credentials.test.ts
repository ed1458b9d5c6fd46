import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
