import { spelledOut } from '../../contract/printable.ts';
import { hintOf, type LoginStage } from '../login/login-failure.ts';
import { translateFailure } from '../login/translate-failure.ts';

/** The result of one check of the sign-in configuration. */
export interface CheckResult {
  readonly step: string;
  /** `ok`; `fix`: sign-in does not work, or not safely, until this is changed; `note`: a hint; `seen`: a fact. */
  readonly verdict: 'ok' | 'fix' | 'note' | 'seen';
  /** What was found, or what to change. Names settings; never a key, a secret or a token. */
  readonly text: string;
}

const resultOf =
  (verdict: CheckResult['verdict']) =>
  (step: string, text: string): CheckResult => ({ step, verdict, text });

export const ok = resultOf('ok');
export const fix = resultOf('fix');
export const note = resultOf('note');
export const seen = resultOf('seen');

/** What a check may say; a text that does not apply is false or undefined. */
type Verdicts = Partial<Record<'fix' | 'note', string | false | undefined>> & { readonly ok: string };

/** A check with the first text that applies. */
export function check(step: string, verdicts: Verdicts): CheckResult {
  if (verdicts.fix) return fix(step, verdicts.fix);
  return verdicts.note ? note(step, verdicts.note) : ok(step, verdicts.ok);
}

/** A request that got no usable response. */
export function unreachable(step: string, error: unknown, stage: LoginStage): CheckResult {
  const failure = translateFailure(error).with({ stage });
  const { status, systemCode } = failure.details;
  const shown = status === undefined ? (systemCode ?? failure.code) : `HTTP ${status}`;
  const isNoObject = failure.code === 'invalid_response';
  return fix(step, `(${shown}) ${isNoObject ? 'The provider answered no JSON object.' : hintOf(failure)}`);
}

const LABELS = { ok: 'ok  ', fix: 'FIX ', note: 'note', seen: '    ' };

/** The last line if nothing is to be fixed, and what else does not work. */
const SIGN_IN = { good: 'Sign-in is configured.', goal: 'sign-in' };

/**
 * One line per step, and a summary line. A result may quote the provider, so control characters are escaped for the
 * terminal.
 */
export function reportLines(results: readonly CheckResult[], { good, goal } = SIGN_IN): readonly string[] {
  const width = Math.max(...results.map(({ step }) => step.length), 0);
  const lines = results.map(
    ({ step, verdict, text }) => `${LABELS[verdict]}  ${step.padEnd(width)}  ${spelledOut(text)}`,
  );
  const fixes = results.filter(({ verdict }) => verdict === 'fix').length;
  return [...lines, '', fixes === 0 ? good : `${fixes} to fix before ${goal} works as it should.`];
}

/** The exit code: 1 if something must be fixed. */
export function exitCodeFor(results: readonly CheckResult[]): 0 | 1 {
  return results.some(({ verdict }) => verdict === 'fix') ? 1 : 0;
}
