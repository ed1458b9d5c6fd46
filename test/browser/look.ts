import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectReadable,
  expectWellFormed,
} from './expectations.ts';
import type { Visit } from './profiles.ts';
import { expectReachable } from './reach.ts';

/** Pictures are for people, and take their time: SHOTS=1 takes them. */
const SHOTS_WANTED = process.env['SHOTS'] === '1';
const SHOTS = new URL('shots/', import.meta.url).pathname;
const SHOT_SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
] as const;
const SHOT_COLORS = ['light', 'dark', 'forced'] as const;
if (SHOTS_WANTED) mkdirSync(SHOTS, { recursive: true });

/** Goes to a screen, and waits until it is complete. */
export type Screen = (visit: Visit) => Promise<void>;

const VIEWPORTS = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;
/** In an order that changes little from one to the next: each change lays out everything again. */
const LOOKS = [
  ['light', 'wide', '100%'],
  ['light', 'wide', '200%'],
  ['light', 'narrow', '200%'],
  ['light', 'narrow', '100%'],
  ['dark', 'narrow', '100%'],
  // The colours of the one theme are looked at in one width, those of the other in the other: with pictures in both.
  ...(SHOTS_WANTED ? [['dark', 'wide', '100%'] as const] : []),
] as const;

/** One screen in both widths, themes and text sizes, changed in place: getting there again would cost most of the time. */
export async function look(name: string, screen: Screen, visit: Visit): Promise<void> {
  const { page } = visit;
  await screen(visit);
  if (SHOTS_WANTED) await takeShots(name, visit);
  for (const [theme, width, text] of LOOKS) {
    // Before the size of the window, whose change has open menus find their place again.
    await page.evaluate(`document.documentElement.style.fontSize = '${text}'`);
    await page.setViewportSize(VIEWPORTS[width]);
    await dress(page, theme);
    await expectNoSidewaysScroll(page);
    if (theme === 'dark') {
      // What does not depend on colours is looked at in the other theme.
      await expectReadable(page);
      continue;
    }
    await expectReachable(page);
    if (text === '200%') continue;
    await (width === 'wide' || SHOTS_WANTED ? expectAccessible(page) : expectWellFormed(page));
  }
}

/** Puts the page into the colours of a theme, as they are in the end, and as if the window had been resized. */
async function dress(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(`
    document.documentElement.classList.toggle('pf-v6-theme-dark', ${theme === 'dark'});
    // Colours change gradually; what is looked at is where they end.
    document.body.getBoundingClientRect();
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish();
    }
    // Open menus find their place in what has become of the page.
    window.dispatchEvent(new Event('resize'));`);
}

async function takeShots(name: string, { page }: Visit): Promise<void> {
  for (const size of SHOT_SIZES) {
    await page.setViewportSize(size);
    for (const colors of SHOT_COLORS) {
      await page.emulateMedia({ forcedColors: colors === 'forced' ? 'active' : 'none' });
      await dress(page, colors === 'dark' ? 'dark' : 'light');
      await page.screenshot({ path: `${SHOTS}${name}-${size.width}-${colors}.png` });
    }
  }
  await page.emulateMedia({ forcedColors: 'none' });
}

/** A test of the look of each screen, each in a visit of its own. */
export function testLooks(screens: Readonly<Record<string, Screen>>, visit: () => Promise<Visit>): void {
  test.each(Object.entries(screens))(
    '%s has no violation and fits, wide and narrow, light and dark, with large text',
    async (name, screen) => {
      const own = await visit();
      await look(name, screen, own);
      await own.close();
    },
  );
}
