import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * What cannot be reached or read of the controls of a page, by name: those that are beyond a side of the window, cut off by
 * what they are in, under another part of the page, or with a text that is cut off without a title.
 */
const UNREACHABLE = `(() => {
  const OVERLAYS = '.pf-v6-c-menu, .pf-v6-c-backdrop, .pf-v6-c-alert-group, .save-bar, .pf-v6-c-masthead, .pf-v6-c-page__sidebar';
  const CONTROLS = 'a[href], button, input:not([type=file], [type=hidden]), select, textarea, [role=menuitem], [role=option]';
  const found = [];
  const note = (what, element) => found.push(what + ': ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60) + ' <' + element.tagName + ' ' + element.className + '>');
  const clipOf = (element, axis) => {
    for (let one = element.parentElement; one !== null && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (['auto', 'scroll'].includes(style['overflow' + axis])) return undefined;
      if (['hidden', 'clip'].includes(style['overflow' + axis])) return one;
    }
    return undefined;
  };
  const scrolled = [...document.querySelectorAll('*')].filter((one) => one.scrollTop !== 0).map((one) => [one, one.scrollTop]);
  for (const element of document.querySelectorAll(CONTROLS)) {
    if (element.disabled || element.closest('[aria-hidden=true], [inert], .pf-v6-screen-reader, .pf-v6-c-skip-to-content') !== null) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const rect = element.getBoundingClientRect();
    if (rect.width < 2 || rect.height < 2) continue;
    if (rect.left < -1 || rect.right > innerWidth + 1) note('beyond the side', element);
    for (const axis of ['X', 'Y']) {
      const clip = clipOf(element, axis)?.getBoundingClientRect();
      if (clip === undefined) continue;
      if (axis === 'X' ? rect.left < clip.left - 1 || rect.right > clip.right + 1 : rect.top < clip.top - 1 || rect.bottom > clip.bottom + 1) note('cut off ' + axis, element);
    }
    const top = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
    const isCovered = top !== null && !element.contains(top) && !top.contains(element) && ![...(element.labels ?? [])].some((label) => label.contains(top));
    if (isCovered && top.closest(OVERLAYS) === null) note('under ' + top.className, element);
    const style = getComputedStyle(element);
    const isText = element.matches('a, button');
    if (isText && style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && !element.title) note('text cut off', element);
  }
  for (const [one, top] of scrolled) one.scrollTop = top;
  return found;
})()`;

/** Every control can be reached, and read. */
export async function expectReachable(page: Page): Promise<void> {
  // Open menus and the sidebar follow a new size of the window a frame later.
  await expect.poll(() => page.evaluate<string[]>(UNREACHABLE)).toEqual([]);
}
