import type { LogFields, Logger } from '../../observability/logger.ts';
import { LOGIN_FAILURES } from '../login/login-failure.ts';
import { fix, type CheckResult } from './check-result.ts';

/** What the service would have logged about one login. Its lines hold closed codes and fixed texts only. */
export type LoginRecord = ReturnType<typeof createLoginRecord>;

interface Line {
  readonly event: string;
  readonly fields: LogFields;
}

const MAX_LINES = 50;
const FAILURES: readonly string[] = ['login failed', 'login could not begin'];
/** The fields about the failure, in the order in which they are shown. */
const SHOWN = ['stage', 'code', 'status', 'idpError', 'systemCode', 'reason', 'claim', 'bytes', 'limit'];

export function createLoginRecord() {
  const lines: Line[] = [];
  const write = (event: string, fields: LogFields = {}): void => {
    if (lines.length < MAX_LINES) lines.push({ event, fields });
  };
  const ignore = (): void => undefined;
  const logger: Logger = {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: write,
    error: write,
    with: () => logger,
  };
  return {
    logger,
    /** Why the login failed. */
    failure: (step: string) => resultOf(step, lines.find(({ event }) => FAILURES.includes(event)) ?? UNKNOWN),
    /** Other problems on the way. */
    warnings: (step: string) =>
      lines.filter(({ event }) => event === 'userinfo failed').map((line) => resultOf(step, line)),
  };
}

const UNKNOWN: Line = { event: 'login failed', fields: { code: 'internal' } };

function resultOf(step: string, { fields }: Line): CheckResult {
  const all = new Map<string, unknown>(Object.entries(fields));
  const shown = SHOWN.map((name) => [name, all.get(name)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (name === 'status' ? `HTTP ${String(value)}` : String(value)));
  return fix(step, `(${shown.join(', ')}) ${fields.hint ?? LOGIN_FAILURES.internal}`);
}
