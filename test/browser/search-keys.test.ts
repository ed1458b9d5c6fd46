import { expect, test } from 'vitest';
import { ADMIN } from '../harness/api-client.ts';
import { openSecretsFixture } from './secrets-fixture.ts';

const here = openSecretsFixture();

/** Of a mobile phone in a train. */
const SLOW = { offline: false, latency: 800, downloadThroughput: 30_000, uploadThroughput: 30_000 };

test.each(['/', 'Control+k'])(
  'what is typed at 30 ms a key right after %s arrives in the search, on a slow network',
  async (shortcut) => {
    const { page, context, open, close } = await here.visitInNewContext(ADMIN);
    await open(`/namespaces/${here.namespace}`);
    await page.getByRole('button', { name: 'Search everything' }).waitFor();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    await page.keyboard.press(shortcut);
    await page.keyboard.type('kafka', { delay: 30 });
    const field = page.getByRole('combobox', { name: 'Search everything' });
    expect(await field.inputValue()).toBe('kafka');
    await page.keyboard.type(' identity', { delay: 30 });
    await page.getByText('No matches').waitFor();
    expect(await field.inputValue()).toBe('kafka identity');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await close();
  },
);
