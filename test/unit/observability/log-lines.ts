import { createLogger, type Logger, type LogLevel } from '../../../src/observability/logger.ts';

/** A logger whose lines can be read back. */
export function recordingLogger(level: LogLevel = 'trace'): {
  readonly logger: Logger;
  readonly text: () => string;
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
} {
  const written: string[] = [];
  const logger = createLogger(level, { write: (line: string) => void written.push(line) });
  return {
    logger,
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
  };
}
