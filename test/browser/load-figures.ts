import type { Page } from 'playwright-core';
import { machineSlowness } from '../harness/machine-slowness.ts';

/** What someone feels of a screen that loads, in milliseconds as a quiet machine would need them. */
export interface LoadFigures {
  /** Processor time of the longest task of the page's main thread: what else the machine does is not in it. */
  readonly longestTaskMs: number;
  /** From the navigation until the largest part of the screen is painted. */
  readonly largestPaintMs: number;
}

/** From here on a page feels slow. */
const LIMITS: LoadFigures = { longestTaskMs: 100, largestPaintMs: 1_000 };
/** A machine that is busy with other things is no failure: one round of these within the limits is enough. */
const MOST_ROUNDS = 4;

/** An event of Chromium's trace, with microseconds of the processor. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const MAIN_THREAD = 'CrRendererMain';
const TASK = 'ThreadControllerImpl::RunTask';

const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/**
 * Loads a screen until that feels quick, after a first time in which its code is loaded and compiled. Returns what is wrong with
 * the best round, which is nothing when all is well.
 * @param load goes to the screen, and waits until it is complete by a selector: a search by role is a long task of its own
 */
export async function slownessOf(page: Page, load: () => Promise<unknown>): Promise<Partial<LoadFigures>> {
  await load();
  let best: Partial<LoadFigures> = LIMITS;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const exceeded = beyondLimits(await figuresOf(page, load));
    if (Object.keys(exceeded).length === 0) return exceeded;
    if (round === 0 || weightOf(exceeded) < weightOf(best)) best = exceeded;
  }
  return best;
}

function beyondLimits({ longestTaskMs, largestPaintMs }: LoadFigures): Partial<LoadFigures> {
  return {
    ...(longestTaskMs < LIMITS.longestTaskMs ? {} : { longestTaskMs }),
    ...(largestPaintMs < LIMITS.largestPaintMs ? {} : { largestPaintMs }),
  };
}

function weightOf({ longestTaskMs = 0, largestPaintMs = 0 }: Partial<LoadFigures>): number {
  return Math.max(longestTaskMs / LIMITS.longestTaskMs, largestPaintMs / LIMITS.largestPaintMs);
}

async function figuresOf(page: Page, load: () => Promise<unknown>): Promise<LoadFigures> {
  const longest = await longestTask(page, load);
  const paint = await page.evaluate<number>(LARGEST_PAINT);
  const slowness = machineSlowness();
  console.log(Math.round(longest), Math.round(paint), slowness.toFixed(2));
  return { longestTaskMs: longest / slowness, largestPaintMs: paint / slowness };
}

async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (browser === null) throw new TypeError('the page has no browser');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === MAIN_THREAD)
      .map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === TASK && threads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no tasks of a page');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}
