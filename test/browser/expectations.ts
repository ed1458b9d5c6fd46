import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Minified: half as long to send to each document, and to compile there. */
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** The rules whose verdict depends on colours alone, and so on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** No violation of WCAG 2.2 A and AA, nor of axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page, {})).toEqual([]);
}

/** The same page in other colours: what does not depend on them has been looked at. */
export async function expectReadable(page: Page): Promise<void> {
  expect(await violations(page, { runOnly: COLOUR_RULES })).toEqual([]);
}

/** The same page in another layout: what depends on colours has been looked at. */
export async function expectWellFormed(page: Page): Promise<void> {
  const rules = Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }]));
  expect(await violations(page, { rules })).toEqual([]);
}

/** Once per document: it is slow until it has been compiled. */
async function violations(page: Page, selection: object): Promise<readonly string[]> {
  if (await page.evaluate<boolean>("typeof window.axe === 'undefined'")) await page.evaluate(AXE);
  // Of what is in order nothing is gathered.
  const options = { resultTypes: ['violations'], ...selection };
  return await page.evaluate<string[]>(
    // A text that fades in has no colour of its own yet.
    `Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime < 1_000).map(({ finished }) => finished))
      .then(() => window.axe.run(document, ${JSON.stringify(options)})).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

/** Nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate<number>(`Math.max(
    ...[document.scrollingElement, document.getElementById('main'), document.querySelector('.pf-v6-c-modal-box__body')]
      .map((element) => element === null ? 0 : element.scrollWidth - element.clientWidth)
  )`);
  // What has been resized may not be laid out yet.
  await expect.poll(overflow).toBe(0);
}
