/** Decoding and parsing a body of almost the largest size are the longest steps of the service, and it cannot cut them. */
const BODY = Buffer.from(JSON.stringify({ name: 'x', allowedUsers: ['🙂'.repeat(4_000_000)] }));
/** What it costs a quiet machine of the kind that the limits were chosen on. */
const QUIET_MS = 30;
const REPEATS = 3;
/** To measure costs more than most of what is measured: a quarter of a second on a slow machine. */
const VALID_MS = 1_000;

let last = { slowness: 1, measuredAt: -Infinity };

/**
 * How many times slower than a quiet machine this one is at the moment, at least 1. A limit on processor time is multiplied by
 * it: time on a shared processor buys less work when its neighbours are busy.
 * @param validMs how old a measurement may be: for what is measured again where it looks bad, older than for a single measurement
 */
export function machineSlowness(validMs = VALID_MS): number {
  if (performance.now() - last.measuredAt > validMs) {
    const slowness = measuredSlowness();
    last = { slowness, measuredAt: performance.now() };
  }
  return last.slowness;
}

function measuredSlowness(): number {
  let shortest = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = process.threadCpuUsage();
    JSON.parse(BODY.toString('utf8'));
    const { user, system } = process.threadCpuUsage(start);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return Math.max(1, shortest / QUIET_MS);
}

/**
 * Processor milliseconds that `work` costs, as a quiet machine would need them: the shortest of three runs. For limits that distinguish
 * linear from quadratic work, whatever machine the tests run on.
 */
export function quietMsOf(work: () => void): number {
  const slowness = machineSlowness();
  let shortest = Infinity;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return shortest / slowness;
}
