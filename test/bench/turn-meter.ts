import { writeFileSync } from 'node:fs';

/**
 * Loaded into the service by its NODE_OPTIONS: the longest turn of the event loop, in the main thread's processor time.
 * That is what a turn costs whatever else the machine is busy with. SIGUSR2 writes it down and begins again.
 */
const file = process.env['BENCH_TURN_FILE'] ?? '';
let longest = 0;
let spent = cpuMs();
setInterval(() => {
  const now = cpuMs();
  longest = Math.max(longest, now - spent);
  spent = now;
}, 1).unref();
process.on('SIGUSR2', () => {
  writeFileSync(file, String(longest));
  longest = 0;
});

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
