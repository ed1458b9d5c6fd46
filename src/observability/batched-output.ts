import { pino } from 'pino';
import type { LogDestination } from './logger.ts';

/** One output for lines of two kinds, which stay in their order. */
export interface LogOutput {
  /** May wait for the end of the turn. */
  readonly joined: LogDestination;
  /** Written before `write` returns, behind everything that has waited: what must survive a crash. */
  readonly atOnce: LogDestination;
}

/**
 * Joins the lines of one turn of the event loop into one write. Each write to a pipe wakes its reader, and with a
 * write for each request that was a third of what a list from memory cost. Nothing is held for longer than a turn:
 * what a process that ends has not written yet is written as it exits.
 */
export function joinLines(
  sink: LogDestination,
  {
    afterThisTurn = setImmediate,
    onExit,
  }: {
    readonly afterThisTurn?: (work: () => void) => unknown;
    readonly onExit: (work: () => void) => unknown;
  },
): LogOutput {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '') sink.write(text);
  };
  onExit(flush);
  const write = (line: string): void => {
    if (waiting === '') afterThisTurn(flush);
    waiting += line;
  };
  return {
    joined: { write },
    atOnce: {
      write(line) {
        write(line);
        flush();
      },
    },
  };
}

/** Standard output, for lines that may come many in a turn. */
export function standardOutput(): LogOutput {
  const sink = pino.destination({ dest: 1, sync: true });
  return joinLines(sink, { onExit: (work) => process.once('exit', work) });
}
