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

/** Writes one structured line per call. `event` is a constant text; everything that varies is a field. */
export interface Logger {
  trace(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A logger whose lines all have `fields`. */
  with(fields: LogFields): Logger;
}

/** Where the lines are written. */
export type LogDestination = DestinationStream;

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

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
  destination?: LogDestination,
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
    const write =
      (method: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (event: string, fields?: LogFields) => {
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

const KNOWN: ReadonlySet<string> = new Set(FIELDS);

function isKnown(field: string): field is LogField {
  return KNOWN.has(field);
}

/**
 * Drops unknown fields, which casts and widened objects may have in spite of the type, and makes every text printable,
 * so that none can forge or flood a line.
 */
function onlyKnown(fields: LogFields): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (!isKnown(field)) continue;
    if (typeof value === 'string') kept[field] = printable(value, MAX_CHARACTERS[field] ?? MAX_PRINTABLE);
    else if (typeof value === 'number' || typeof value === 'boolean') kept[field] = value;
  }
  return kept;
}
