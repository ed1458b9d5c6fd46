import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { homeIsRead } from './frame-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

test.each(['/namespaces', '/namespaces/team-a/', '/no/such/page'])(
  '%s is answered 404 with the pages, for whoever navigates there',
  async (path) => {
    const { page, open, close } = await here.visit(ADMIN);
    const response = (await open(path)) as { status: () => number };
    expect(response.status()).toBe(404);
    await page.getByRole('link', { name: 'Secrets', exact: true }).waitFor();
    await close();
  },
);

test('a mistyped address says so, and leads to the namespaces', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/namespaces');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Show namespaces' }).click();
  await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
  await close();
});

test.each([
  ['/namespaces', 'application/json'],
  ['/api/nothing', 'text/html'],
  ['/assets/gone.js', 'text/html'],
])('%s is JSON for %s', async (path, accept) => {
  const response = await fetch(`${here.stack.url}${path}`, { headers: { accept } });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ error: 'There is nothing at this address' });
});

/** Counts how often the browser loads the page itself. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

const CODE = '**/assets/writing-*.js';

test('a screen whose code is gone after a rollout is loaded once more, and opens', async () => {
  await make('rolled-out', { token: 'x' });
  // What another tab of a profile has loaded may be in its memory, past a route.
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const loads = countLoads(page);
  await page.route(CODE, (route) =>
    loads() === 0 ? route.fulfill({ status: 404, json: { error: 'gone' } }) : route.continue(),
  );
  await page.getByRole('link', { name: 'Create' }).first().click();
  await page.waitForURL('**/create');
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  expect(loads()).toBe(1);
  await close();
});

test('what the address has behind its path is still there after such a load', async () => {
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await open(`/namespaces/${here.namespace}`);
  const loads = countLoads(page);
  await page.route(CODE, (route) =>
    loads() === 0 ? route.fulfill({ status: 404, json: { error: 'gone' } }) : route.continue(),
  );
  const address = `/namespaces/${here.namespace}/create?kept=true`;
  await page.evaluate(
    `history.pushState(null, '', '${address}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  expect(loads()).toBe(1);
  expect(page.url()).toContain(address);
  await close();
});

test('a screen whose code never comes is loaded once more only, and says that something went wrong', async () => {
  await make('never-comes', { token: 'x' });
  const { page, open } = await here.visitInNewContext(ADMIN);
  const loads = countLoads(page);
  await page.route(CODE, (route) => route.fulfill({ status: 404, json: { error: 'gone' } }));
  await open(`${at('never-comes')}/edit`);
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  expect(loads()).toBe(2);
  await page.context().close();
});

test.each(['**/assets/frame-*.js', '**/assets/frame-*.css'])(
  'a page whose files %s are of another version, in a rollout, is loaded again until they come',
  async (file) => {
    const { page, open } = await here.visitInNewContext(ADMIN);
    const loads = countLoads(page);
    await page.route(file, (route) =>
      loads() === 1 ? route.fulfill({ status: 404, json: { error: 'gone' } }) : route.continue(),
    );
    await open('/');
    await expect.poll(loads).toBe(2);
    await page.getByRole('heading', { name: 'Namespaces' }).waitFor();
    // The first document has the heading, too, where its style sheet alone is missing.
    await expect.poll(() => page.evaluate('sessionStorage.length').catch(() => -1)).toBe(0);
    await page.context().close();
  },
);

test('a page whose code never comes is loaded again ten times, and says so then', async () => {
  const { page, open } = await here.visitInNewContext(ADMIN);
  await page.addInitScript(`sessionStorage['loaded-again'] ??= '9'`);
  const loads = countLoads(page);
  await page.route('**/assets/frame-*.js', (route) =>
    route.fulfill({ status: 404, json: { error: 'gone' } }),
  );
  await open('/');
  await page.getByText("The page can't be loaded. Reload it to try again.").waitFor();
  expect(loads()).toBe(2);
  await page.context().close();
});

test('the filter of the namespaces is in the address, and Back returns to it', async () => {
  const { page, open, close } = await here.visit(ADMIN);
  await open('/');
  await page.getByRole('textbox', { name: 'Filter namespaces by name' }).fill(here.namespace);
  const list = page.getByRole('list', { name: 'Namespaces' });
  await homeIsRead(page);
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('link', { name: here.namespace }).click();
  await page.getByRole('heading', { name: here.namespace, level: 1 }).waitFor();
  await page.goBack();
  await list.waitFor();
  expect(await list.getByRole('listitem').count()).toBe(1);
  expect(new URL(page.url()).search).toBe(`?q=${here.namespace}`);
  await close();
});
