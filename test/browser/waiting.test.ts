import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { chooseAction } from './secret-actions.ts';
import { openSecretsFixture, reviewAndSave, setValue } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, make } = here;

const PAINTED = 'performance.getEntriesByName("first-contentful-paint").length';

test('something is painted while styles and scripts are still on their way', async () => {
  const { page, context } = await here.visitInNewContext(ADMIN);
  await page.route('**/assets/**', () => new Promise(() => undefined));
  await page.goto(`/namespaces/${here.namespace}`, { waitUntil: 'commit' });
  await expect.poll(() => page.evaluate<number>(PAINTED)).toBe(1);
  await context.close();
});

test('session and list are requested while the code of the screen is still on its way', async () => {
  const { page, context } = await here.visitInNewContext(ADMIN);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.route('**/assets/reading-*.js', () => new Promise(() => undefined));
  await page.goto(`/namespaces/${here.namespace}`, { waitUntil: 'commit' });
  await expect.poll(() => requests).toContain('/api/auth/me');
  await expect.poll(() => requests).toContain(`/api/namespaces/${here.namespace}/secrets`);
  await context.close();
});

test('after three seconds the page says what it waits for, and a read that took long is not repeated', async () => {
  await make('hanging', { token: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  let reads = 0;
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/namespaces/*/secrets/hanging?*', async (route) => {
    reads += 1;
    await held;
    return route.fulfill({ status: 503, json: { error: 'The cluster did not answer in time' } });
  });
  await open(at('hanging'));
  await page.getByText('Still loading the Secret: the cluster is slow to answer.').waitFor();
  answer();
  await page.getByRole('heading', { name: 'Not available right now' }).waitFor();
  expect(reads).toBe(1);
  await page.unrouteAll();
  await close();
});

test('while a save, a restore and a deletion take long, their dialogs say what is waited for', async () => {
  await make('slow', { token: 'one' });
  const { page, open, close } = await here.visit(ADMIN);
  const slow = page.getByText('The cluster is slow to answer. Your request was sent:');
  let answer: () => void = () => undefined;
  await page.route('**/api/namespaces/*/secrets/slow**', async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await new Promise<void>((resolve) => (answer = resolve));
    return route.fallback();
  });
  await open(`${at('slow')}/edit`);
  await setValue(page, 'token', 'two');
  await reviewAndSave(page);
  await slow.waitFor();
  answer();
  await page.getByText('slow is saved as version 2.').waitFor();

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await slow.waitFor();
  answer();
  await slow.waitFor({ state: 'detached' });
  // A deletion names the revision that the page has read.
  await page.getByRole('row', { name: /^View version 3 live admin@example.com/ }).waitFor();

  await chooseAction(page, 'Delete');
  await page.getByRole('dialog').getByRole('textbox').fill('slow');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await slow.waitFor();
  answer();
  await page.getByText('slow is deleted').waitFor();
  await page.unrouteAll();
  await close();
});
