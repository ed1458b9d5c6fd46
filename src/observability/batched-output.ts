import { pino } from 'pino';
import type { LogDestination } from './logger.ts';

/** One output for lines of two kinds, in order. */
export interface LogOutput {
  /** May wait for the end of the turn. */
  readonly joined: LogDestination;
  /** Written before `write` returns, after all waiting lines: for lines that must survive a crash. */
  readonly atOnce: LogDestination;
}

/**
 * Joins the lines of one turn of the event loop into one write. Each write to a pipe wakes its reader, and a write per
 * request was a third of the cost of a list from memory. Nothing is held for longer than a turn; the rest is written
 * when the process exits.
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

/** Standard output, for lines that may be many in a turn. */
export function standardOutput(): LogOutput {
  const sink = pino.destination({ dest: 1, sync: true });
  return joinLines(sink, { onExit: (work) => process.once('exit', work) });
}

/** Standard error, for what ends the process: each line is written before the call returns. */
export function standardError(): LogDestination {
  return pino.destination({ dest: 2, sync: true });
}
