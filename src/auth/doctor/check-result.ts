import { hintOf } from '../login/failure-report.ts';
import { translateFailure } from '../login/translate-failure.ts';

/** The result of one check of the sign-in configuration. */
export interface CheckResult {
  readonly step: string;
  /** `ok`; `fix`: sign-in does not work, or not safely, until this is changed; `note`: a hint; `seen`: a fact. */
  readonly verdict: 'ok' | 'fix' | 'note' | 'seen';
  /** What was found, or what to change. Names settings; never a key, a secret or a token. */
  readonly text: string;
}

export function ok(step: string, text: string): CheckResult {
  return { step, verdict: 'ok', text };
}

export function fix(step: string, text: string): CheckResult {
  return { step, verdict: 'fix', text };
}

export function note(step: string, text: string): CheckResult {
  return { step, verdict: 'note', text };
}

export function seen(step: string, text: string): CheckResult {
  return { step, verdict: 'seen', text };
}

/** A request that got no usable response. */
export function unreachable(step: string, error: unknown): CheckResult {
  const failure = translateFailure(error);
  return fix(step, `(${failure.details.systemCode ?? failure.code}) ${hintOf(failure)}`);
}
