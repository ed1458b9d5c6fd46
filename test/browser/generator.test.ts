import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { expectAccessible, expectNoSidewaysScroll } from './expectations.ts';
import { openSecretsFixture, reviewAndSave } from './secrets-fixture.ts';

const here = openSecretsFixture();
const { at, stored } = here;

test('a password is rotated by a generated one, which stays masked', async () => {
  await here.make('rotated', { password: 'old', user: 'ada' });
  const { page, open, close } = await here.visitInNewContext(ADMIN);
  await open(`${at('rotated')}/edit`);
  await page.getByRole('button', { name: 'Generate a value of password' }).click();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Hex');
  await page.getByRole('spinbutton', { name: 'Bytes' }).fill('20');
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Use a generated value' }).click();
  await page.getByText('1 change', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'Value of password' }).inputValue()).toBe('');
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).toContain('hex 20');
  await reviewAndSave(page);
  await page.getByText('rotated is saved as version 2.').waitFor();
  const values = await stored('rotated');
  expect(values.get('password')).toMatch(/^[0-9a-f]{40}$/);
  expect(values.get('user')).toBe('ada');
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(values.get('password'));
  await close();
});

test('the bar with the button to save is in sight however many keys there are', async () => {
  const keys = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key-${index}`, 'x']));
  await here.make('long', keys);
  const { page, open, close } = await here.visit(ADMIN);
  await open(`${at('long')}/edit`);
  const save = page.getByRole('button', { name: 'Review and save' });
  await save.waitFor();
  const bottom = async () => {
    const box = await save.boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  await close();
});
