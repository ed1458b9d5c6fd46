// Loaded into a service process by `--import`, before the service itself: measures the process from within and answers
// over the channel to the process that started it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeterAnswer, MeterRequest } from './messages.ts';

/** Often enough that several requests seldom share a turn, seldom enough to cost next to nothing. */
const TICK_MS = 2;

/** Processor time of the main thread alone: a busy machine does not count, nor do threads that work beside it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

let last = threadCpuMs();
let started = last;
let longest = 0;

/** A timer fires once in each turn of the event loop, so what was used since the last time is what one turn used. */
setInterval(() => {
  const now = threadCpuMs();
  longest = Math.max(longest, now - last);
  last = now;
}, TICK_MS).unref();

async function settle(): Promise<void> {
  // Weak references and finalizers need a turn between two collections.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await sleep(20);
  }
}

process.on('message', (message: MeterRequest) => {
  void answer(message);
});
process.channel?.unref();

async function answer({ id, settled }: MeterRequest): Promise<void> {
  if (settled) await settle();
  const now = threadCpuMs();
  const { rss, heapUsed, external } = process.memoryUsage();
  const reply: MeterAnswer = {
    id,
    usage: {
      longestTurnMs: Math.max(longest, now - last),
      cpuMs: now - started,
      rssBytes: rss,
      heldBytes: heapUsed + external,
      peakRssBytes: process.resourceUsage().maxRSS * 1_024,
    },
  };
  // A collection on demand is no turn of the service's own.
  last = threadCpuMs();
  [started, longest] = [last, 0];
  process.send?.(reply);
}
