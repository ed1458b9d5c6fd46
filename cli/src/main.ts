import { constants } from 'node:os';
import { secretsctl } from './secretsctl.ts';
import { createTerminal } from './terminal/terminal.ts';

const terminal = createTerminal(process, process.env['NO_COLOR']);
process.stdout.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
  // A reader that has enough, such as `head`, is no failure.
  const hasEnough = code === 'EPIPE';
  if (!hasEnough) terminal.note(`secretsctl: the output cannot be written (${code})`);
  // `run --mask` has its own way: its child goes on.
  if (process.stdout.listenerCount('error') === 1) process.exit(hasEnough ? 0 : 1);
});
// A note that no one can read ends nothing.
process.stderr.on('error', () => undefined);
// A step that does not wait is complete before its signal is handled; what is to be removed at the exit is removed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => {
    // `run` and an open editor have their own way.
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  });
}
void secretsctl(process.argv.slice(2), process.env, terminal).then((exitCode) => {
  process.exitCode = exitCode;
});
