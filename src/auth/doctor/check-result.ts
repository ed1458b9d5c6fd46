import { spelledOut } from '../../contract/printable.ts';
import { hintOf } from '../login/login-failure.ts';
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

/** A request that got no usable response. */
export function unreachable(step: string, error: unknown): CheckResult {
  const failure = translateFailure(error);
  return fix(step, `(${failure.details.systemCode ?? failure.code}) ${hintOf(failure)}`);
}

const LABELS: Readonly<Record<CheckResult['verdict'], string>> = {
  ok: 'ok  ',
  fix: 'FIX ',
  note: 'note',
  seen: '    ',
};

/** What a report ends with, by the number of fixes. */
type Summary = (fixes: number) => string;

const signInSummary: Summary = (fixes) =>
  fixes === 0 ? 'Sign-in is configured.' : `${fixes} to fix before sign-in works as it should.`;

export const tokenSummary: Summary = (fixes) =>
  fixes === 0 ? 'The token is accepted.' : `${fixes} to fix before the token works as it should.`;

/**
 * One line per step, and a summary line. A result may quote the provider, so control characters are escaped for the
 * terminal.
 */
export function reportLines(
  results: readonly CheckResult[],
  summary: Summary = signInSummary,
): readonly string[] {
  const width = Math.max(...results.map(({ step }) => step.length), 0);
  const lines = results.map(
    ({ step, verdict, text }) => `${LABELS[verdict]}  ${step.padEnd(width)}  ${spelledOut(text)}`,
  );
  const fixes = results.filter(({ verdict }) => verdict === 'fix').length;
  return [...lines, '', summary(fixes)];
}

/** The exit code: 1 if something must be fixed. */
export function exitCodeFor(results: readonly CheckResult[]): 0 | 1 {
  return results.some(({ verdict }) => verdict === 'fix') ? 1 : 0;
}
