import { createLogger } from '../../observability/logger.ts';
import { LOGIN_FAILURES } from '../login/login-failure.ts';
import { fix, type CheckResult } from './check-result.ts';

/** What the service would have logged about one login. Its lines hold closed codes and fixed texts only. */
export type LoginRecord = ReturnType<typeof createLoginRecord>;

type Line = Readonly<Record<string, string | number | boolean>>;

const MAX_LINES = 50;
const FAILURES: readonly unknown[] = ['login failed', 'login could not begin'];
/** The fields about the failure, in the order in which they are shown. */
const SHOWN = ['stage', 'code', 'status', 'idpError', 'systemCode', 'reason', 'claim', 'bytes', 'limit'];

export function createLoginRecord() {
  const lines: Line[] = [];
  const write = (line: string): void => {
    if (lines.length < MAX_LINES) lines.push(JSON.parse(line) as Line);
  };
  return {
    logger: createLogger('warn', { write }),
    /** Why the login failed. */
    failure: (step: string) =>
      resultOf(step, lines.find((line) => FAILURES.includes(line['event'])) ?? { code: 'internal' }),
    /** Other problems on the way. */
    warnings: (step: string) =>
      lines.filter((line) => line['event'] === 'userinfo failed').map((line) => resultOf(step, line)),
  };
}

function resultOf(step: string, line: Line): CheckResult {
  const shown = SHOWN.filter((name) => line[name] !== undefined).map((name) =>
    name === 'status' ? `HTTP ${String(line[name])}` : String(line[name]),
  );
  return fix(step, `(${shown.join(', ')}) ${String(line['hint'] ?? LOGIN_FAILURES.internal)}`);
}
