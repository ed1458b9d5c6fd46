import type { Usage } from '../../harness/process-meter/messages.ts';

/** Bounds of what the service may use while it is fuzzed. */
export const MOST_TURN_MS = 200;
export const MOST_REQUEST_CPU_MS = 2_000;
/** The manifest's memory limit. */
export const MOST_RSS_BYTES = 1024 ** 3;
/** Caches and compiled code may still grow after the first part of a run; what leaks grows with the requests. */
export const MOST_GROWTH_BYTES = 64 * 1024 ** 2;

/** What is wrong with a turn of the event loop that the requests of this moment shared. */
export function objectionToTurn({ longestTurnMs }: Usage, slowness = () => 1): string | undefined {
  // Measuring the machine takes longer than most requests.
  return longestTurnMs <= MOST_TURN_MS || longestTurnMs <= MOST_TURN_MS * slowness()
    ? undefined
    : `a turn of the event loop took ${longestTurnMs.toFixed()} ms`;
}

/** What is wrong with one request that was sent alone. */
export function objectionToCost({ cpuMs }: Usage): string | undefined {
  return cpuMs <= MOST_REQUEST_CPU_MS ? undefined : `a request took ${cpuMs.toFixed()} ms of processor time`;
}

/** What is wrong with the memory, early in a run and at its end, garbage collected both times. */
export function objectionsToMemory(
  early: Usage,
  end: Usage,
  mostGrowth = MOST_GROWTH_BYTES,
): readonly string[] {
  const growth = end.heldBytes - early.heldBytes;
  return [
    ...(growth <= mostGrowth ? [] : [`memory grew by ${mebibytes(growth)}`]),
    ...(end.peakRssBytes <= MOST_RSS_BYTES ? [] : [`memory reached ${mebibytes(end.peakRssBytes)}`]),
  ];
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed()} MiB`;
