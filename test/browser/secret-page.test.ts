import { expect, test } from 'vitest';
import { ADMIN, DEVELOPER_A } from '../harness/api-client.ts';
import { expectAccessible, expectNoSidewaysScroll } from './expectations.ts';
import { chooseForKey, exportAs } from './secret-actions.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at } = here;

const clipboard = 'navigator.clipboard.readText()';
const KEYS = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [`key-${index}`, `value ${index}`]),
);

test('the parts of a Secret have addresses of their own, and open by mouse, keyboard and link', async () => {
  await here.make('parts', { a: 'x' }, { allowedGroups: ['team-a'] });
  const { page, open, close } = await here.visit(DEVELOPER_A);
  await open(at('parts'));
  const parts = page.getByRole('tablist', { name: 'Parts of this Secret' });
  await parts.getByRole('tab', { name: 'Access' }).click();
  await page.getByText('You can manage this Secret through group team-a, by its own rules.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`${at('parts')}/access`);
  await parts.getByRole('tab', { name: 'History' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No earlier versions yet.').waitFor();
  await page.goBack();
  await page.getByText('Members of the group team-a').waitFor();
  await expect
    .poll(() => parts.getByRole('tab').allTextContents())
    .toEqual(['Values', 'History 0', 'Access']);
  await close();
});

test('the rules of the Secret and of its namespace are shown, and which of them let me in', async () => {
  const ruled = await here.stack.namespace();
  const reads: string[] = [];
  const { page, open, close } = await here.visit(DEVELOPER_A);
  page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  for (const name of ['without-rules', 'with-rules']) {
    await here.stack.kube.createSecret(ruled, { metadata: { name }, data: { a: 'eA==' } });
  }
  const annotations = { 'service.io/allowed-users': 'developer-a@example.com' };
  await here.stack.kube.patchSecret(ruled, 'with-rules', { metadata: { annotations } });
  const path = (name: string) => `/namespaces/${ruled}/secrets/${name}/access`;

  await open(path('without-rules'));
  await page.getByText('Everyone who can sign in can manage this Secret.').waitFor();

  await here.stack.kube.setPolicy(ruled, { allowedGroups: '["team-a", "team-b"]' });
  await open(path('without-rules'));
  await page
    .getByText(`You can manage this Secret through group team-a, by the rules of the namespace ${ruled}.`)
    .waitFor();
  const rules = page.getByRole('list', { name: `Rules of the namespace ${ruled}` });
  await expect
    .poll(() => rules.getByRole('listitem').allTextContents())
    .toEqual(['Members of the group team-a can manage You', 'Members of the group team-b can manage ']);

  await open(path('with-rules'));
  await page.getByText('You can manage this Secret as developer-a@example.com, by its own rules.').waitFor();
  await page.getByText('This Secret has rules of its own.').waitFor();
  await here.stack.kube.setPolicy(ruled, { allowedGroups: '["team-b"]' });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText("You can't see them, because they don't name you or your groups.").waitFor();
  expect(reads).not.toContain(`/api/namespaces/${ruled}/secrets/with-rules`);
  await close();
});

test('300 keys are filtered by name, and the filter is in the address', async () => {
  await here.make('many', KEYS);
  const { page, open, close } = await here.visit(ADMIN);
  await open(at('many'));
  const lines = page.getByRole('list', { name: 'Values' }).getByRole('listitem');
  await page.getByRole('textbox', { name: 'Filter keys' }).fill('KEY-29');
  await expect.poll(() => lines.count()).toBe(11);
  await page.reload();
  await page.getByText('11 of 300').waitFor();
  expect(await lines.count()).toBe(11);
  await page.getByRole('textbox', { name: 'Filter keys' }).fill('no such key');
  await page.getByText('No key matches.').waitFor();
  await close();
});

test('all values are revealed at once, and single ones hidden again', async () => {
  await here.make('several', { a: 'one', b: 'two' });
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await page.clock.install();
  await open(at('several'));
  await page.getByRole('button', { name: 'Reveal all' }).click();
  await page.getByLabel('Value of a').waitFor();
  expect(await page.getByLabel('Value of b').textContent()).toBe('two');
  await page.getByRole('button', { name: 'Hide a', exact: true }).click();
  await page.getByLabel('Value of a').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reveal a', exact: true }).click();
  await page.getByLabel('Value of a').waitFor();
  await page.clock.runFor(31_000);
  await page.getByLabel('Value of b').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Reveal all' }).waitFor();
  await close();
});

test('a Secret is copied and downloaded for other tools, without being shown', async () => {
  await here.make('exported', { USER: 'it is me', 'tls.crt': 'x' });
  await here.stack.kube.patchSecret(here.namespace, 'exported', { data: { bytes: 'AP8=' } });
  const { page, context, open, close } = await here.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(at('exported'));
  const reads: string[] = [];
  page.on('request', (request) => {
    if (/\/secrets\/exported(\/keys\/.*)?$/.test(request.url())) reads.push(request.url());
  });
  await exportAs(page, 'Copy .env');
  await page.getByText('Copied as .env. Left out, since they are binary: bytes.').waitFor();
  expect(await page.evaluate<string>(clipboard)).toBe("USER='it is me'\ntls.crt=x\n");
  expect(reads).toHaveLength(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    exportAs(page, 'Download YAML manifest'),
  ]);
  expect(download.suggestedFilename()).toBe('exported.yaml');
  const chunks = await (await download.createReadStream()).toArray();
  expect(Buffer.concat(chunks as Buffer[]).toString()).toContain('"bytes": "AP8="');
  await chooseForKey(page, 'USER', 'Copy secretKeyRef');
  await page.getByText('Copied as secretKeyRef.').waitFor();
  expect(await page.evaluate<string>(clipboard)).toContain('key: "USER"');
  expect(await page.getByText('it is me').count()).toBe(0);
  await close();
});

test('an action of a newer version takes the newer values, not those on the screen', async () => {
  await here.make('moved', { a: 'old' });
  const { page, context, open, close } = await here.visitInNewContext(ADMIN);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  await open(at('moved'));
  await page.getByRole('button', { name: 'Reveal a', exact: true }).waitFor();
  await here.stack.kube.patchSecret(here.namespace, 'moved', { data: { a: 'bmV3' } });
  await page.clock.runFor(6_000);
  await exportAs(page, 'Copy JSON');
  await page.getByText('A newer version was saved').waitFor();
  expect(await page.getByText('Copied as JSON.').count()).toBe(0);
  await exportAs(page, 'Copy JSON');
  await page.getByText('Copied as JSON.').waitFor();
  expect(JSON.parse(await page.evaluate<string>(clipboard))).toEqual({ a: 'new' });
  await close();
});

test('a line has what its value is, on narrow screens and in large text, too', async () => {
  await here.make('narrow', { 'a-rather-long-key-name': 'https://example.com/path', b: '{"a": 1}' });
  const { page, open, close } = await here.visit(ADMIN);
  await page.setViewportSize({ width: 360, height: 740 });
  await open(at('narrow'));
  await page.getByRole('button', { name: 'Reveal all' }).click();
  await page.getByText('URL', { exact: true }).waitFor();
  await page.getByText('JSON', { exact: true }).waitFor();
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Copy b', exact: true }).click({ trial: true });
  await expectAccessible(page);
  // Not all tabs fit: the one that is open does.
  await open(`${at('narrow')}/access`);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await page.getByRole('tab', { name: 'Values' }).press('Enter');
  // Each part is a page: the tabs are other elements once it is there.
  await page.getByRole('tab', { name: 'Values', selected: true }).waitFor();
  await page.getByRole('tab', { name: 'Access' }).press('Enter');
  const right = async () => {
    const box = await page.getByRole('tab', { name: 'Access', selected: true }).boundingBox();
    return box === null ? Infinity : box.x + box.width;
  };
  await expect.poll(right).toBeLessThan(360);
  await close();
});

test('the tabs have counts once they are known, which the page does not wait for', async () => {
  await here.make('counted', { a: 'x' });
  const { page, open, close } = await here.visit(ADMIN);
  let isHeld = true;
  const reads: string[] = [];
  page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  await page.route('**/secrets/counted/versions', (route) =>
    isHeld ? route.fulfill({ status: 503, json: { error: 'Not now' } }) : route.continue(),
  );
  await open(at('counted'));
  const tab = (name: RegExp) => page.getByRole('tab', { name });
  await page.getByRole('button', { name: 'Reveal a', exact: true }).waitFor();
  await tab(/^History$/).waitFor();
  isHeld = false;
  await open(at('counted'));
  await tab(/^History 0$/).waitFor();
  expect(reads.filter((path) => path === `/api${at('counted')}`)).toHaveLength(2);
  await page.unrouteAll();
  await close();
});

test('in a German browser, too, dates are American English, and times go on by themselves', async () => {
  await here.make('dated', { a: 'x' });
  const { page, open, close } = await here.visitInNewContext(ADMIN, 'de-DE');
  await page.clock.install();
  await open(`/namespaces/${here.namespace}`);
  const time = page.getByRole('row', { name: /dated/ }).locator('time');
  await time.getByText('just now').waitFor();
  expect(await page.evaluate<string>('new Date(0).toLocaleDateString(undefined, { month: "long" })')).toBe(
    'Januar',
  );
  expect(await time.getAttribute('title')).toMatch(/^[SMTWF][a-z]+day, [A-Z][a-z]+ \d+, \d{4} at \d\d:/);
  await page.clock.fastForward('02:00');
  await time.getByText('2 minutes ago').waitFor();
  await page.getByRole('link', { name: 'dated', exact: true }).click();
  const facts = page.getByRole('list', { name: 'Facts' });
  await facts.getByText('2 minutes ago').waitFor();
  // A clock that is behind does not make the future of what has happened.
  await page.clock.setSystemTime(Date.now() - 2 * 60 * 60_000);
  await page.clock.fastForward('00:20');
  await facts.getByText('just now').waitFor();
  await close();
});
