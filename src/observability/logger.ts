import { pino, type DestinationStream } from 'pino';
import { MAX_PRINTABLE, printable } from '../contract/printable.ts';

/**
 * The fields of log lines. The list is closed on purpose: other fields are never logged, whatever a caller passes. None
 * of them may contain a secret value, a token, a cookie, a claim other than the actor's own email, or text of the
 * cluster or the provider. `docs/observability.md` describes each.
 */
export const FIELDS = [
  // A request, who sent it, and the run that has the token.
  ...['requestId', 'clientRequestId', 'clientAddress', 'traceId', 'method', 'route', 'status'],
  ...['durationMs', 'actor', 'subject', 'session', 'via', 'issuer', 'tokenId', 'repositoryId', 'runId'],
  ...['projectId', 'jobId', 'podName', 'podUid'],
  // What was done, and to what.
  ...['action', 'outcome', 'accessLevel', 'namespace', 'name', 'newName', 'uid', 'version', 'revision'],
  ...['key', 'verb', 'resource', 'changeNote', 'history', 'workloads', 'restarted', 'failed', 'step'],
  ...['attempt', 'sequence'],
  // A sign-in, and sessions that were ended early.
  ...['stage', 'idpError', 'descriptionCode', 'redirectBaseMatches', 'claim', 'userInfo', 'groupsLeftOut'],
  ...['cookieCount', 'headerBytes', 'revocation'],
  // What is wrong, where, and what to do about it.
  ...['code', 'reason', 'problem', 'hint', 'systemCode', 'kind', 'place', 'variable', 'waitingFor', 'host'],
  ...['port', 'bytes', 'count', 'limit', 'component', 'process', 'signal'],
] as const;

export type LogField = (typeof FIELDS)[number];
export type LogFields = Readonly<Partial<Record<LogField, string | number | boolean | undefined>>>;

type LineLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';
export type LogLevel = LineLevel | 'fatal' | 'silent';

/** Writes one structured line per call. `event` is a constant text; everything that varies is a field. */
export interface Logger extends Readonly<Record<LineLevel, (event: string, fields?: LogFields) => void>> {
  /** A logger whose lines all have `fields`. */
  with(fields: LogFields): Logger;
}

/** The level of audit lines: LOG_LEVEL does not filter them, except `silent`. */
export function auditLevel(level: LogLevel): LogLevel {
  return level === 'warn' || level === 'error' || level === 'fatal' ? 'info' : level;
}

/**
 * A logger that writes JSON lines to `destination` (standard output by default).
 * @param ofContext fields of what is being worked on when a line is written
 */
export function createLogger(
  level: LogLevel,
  destination?: DestinationStream,
  ofContext: () => LogFields = () => ({}),
): Logger {
  const options = {
    level,
    base: null,
    messageKey: 'event',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const sink = destination === undefined ? pino(options) : pino(options, destination);
  const withFields = (bound: LogFields): Logger => {
    const write = (method: LineLevel) => (event: string, fields?: LogFields) => {
      // Every request to the cluster has a line at debug, and its fields are work.
      if (!sink.isLevelEnabled(method)) return;
      sink[method](onlyKnown({ ...ofContext(), ...bound, ...fields }), event);
    };
    return {
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      with: (fields) => withFields({ ...bound, ...fields }),
    };
  };
  return withFields({});
}

/**
 * A list of up to 50 workloads is longer than any other field. It contains names of the cluster, so its length is
 * limited.
 */
const MAX_CHARACTERS: Readonly<Partial<Record<LogField, number>>> = { workloads: 16_384 };

/**
 * Drops unknown fields, which casts and widened objects may have in spite of the type, and makes every text printable,
 * so that none can forge or flood a line.
 */
function onlyKnown(fields: LogFields): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {};
  for (const field of FIELDS) {
    const value = fields[field];
    if (typeof value === 'string') kept[field] = printable(value, MAX_CHARACTERS[field] ?? MAX_PRINTABLE);
    else if (typeof value === 'number' || typeof value === 'boolean') kept[field] = value;
  }
  return kept;
}

/** One output for lines of two kinds, in order. */
export interface LogOutput {
  /** May wait for the end of the turn. */
  readonly joined: DestinationStream;
  /** Written before `write` returns, after all waiting lines: for lines that must survive a crash. */
  readonly atOnce: DestinationStream;
}

/**
 * Joins the lines of one turn of the event loop into one write. Each write to a pipe wakes its reader, and a write per
 * request was a third of the cost of a list from memory. Nothing is held for longer than a turn; the rest is written
 * when the process exits.
 */
export function joinLines(sink: DestinationStream): LogOutput {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '') sink.write(text);
  };
  process.once('exit', flush);
  const write = (line: string): void => {
    if (waiting === '') setImmediate(flush);
    waiting += line;
  };
  const atOnce = (line: string): void => {
    write(line);
    flush();
  };
  return { joined: { write }, atOnce: { write: atOnce } };
}

/** Standard output, for lines that may be many in a turn. */
export const standardOutput = (): LogOutput => joinLines(pino.destination({ dest: 1, sync: true }));

/** Standard error, for what ends the process: each line is written before the call returns. */
export const standardError = (): DestinationStream => pino.destination({ dest: 2, sync: true });
