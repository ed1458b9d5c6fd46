/** That of the best of three runs: what else the process does, such as to collect garbage, does not count. */
export async function leastLongestTurnOf(work: () => Promise<unknown>): Promise<number> {
  return Math.min(await longestTurnOf(work), await longestTurnOf(work), await longestTurnOf(work));
}

/** The processor milliseconds of the longest turn of the event loop while `work` runs. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let turn = process.threadCpuUsage();
  let pending = setImmediate(function next() {
    const { user, system } = process.threadCpuUsage(turn);
    longest = Math.max(longest, (user + system) / 1_000);
    turn = process.threadCpuUsage();
    pending = setImmediate(next);
  });
  await work();
  await new Promise(setImmediate); // the last turn counts, too
  clearImmediate(pending);
  return longest;
}
