import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCommand } from '../../cli/test/start-command.ts';
import { DEVELOPER_A } from '../harness/api-client.ts';
import { eventually } from '../harness/eventually.ts';
import { openBrowserFixture, type BrowserFixture } from './fixture.ts';
import { content } from './frame-actions.ts';

let fixture: BrowserFixture;
const folder = mkdtempSync(join(tmpdir(), 'command-login-'));
/** In place of the browser that the command opens: the address is kept for the one of the test. */
const browser = join(folder, 'browser');
const opened = join(folder, 'opened');
beforeAll(async () => {
  fixture = await openBrowserFixture();
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o700 });
});
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

test('login opens the page in a browser, and has the session after one click', async () => {
  const environment = { XDG_STATE_HOME: folder, BROWSER: browser };
  const login = startCommand(['login', '--server', fixture.stack.url], { environment });
  const address = await eventually(() => {
    // The shell creates it before it is written.
    const text = existsSync(opened) ? readFileSync(opened, 'utf8') : '';
    if (text === '') throw new Error('not opened');
    return text;
  });
  const { page, open, close } = await fixture.visit(DEVELOPER_A);
  const { pathname, search } = new URL(address);
  await open(`${pathname}${search}`);
  await content(page).getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You are signed in. You can close this page.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/done');
  expect(page.url()).not.toContain('code=');
  await close();
  const { exitCode, stderr } = await login.ended();
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('as developer-a@example.com')]);
  const whoami = await startCommand(['whoami'], { environment }).ended();
  expect(whoami.stdout.toString()).toBe(`developer-a@example.com at ${fixture.stack.url}\nGroups: team-a\n`);
});
