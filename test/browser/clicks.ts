import type { Locator } from 'playwright-core';

/** Counts what someone does to reach their aim. */
export function startCounting() {
  let count = 0;
  return {
    click: async (target: Locator) => {
      count++;
      await target.click();
    },
    count: () => count,
  };
}
