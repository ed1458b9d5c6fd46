import { spelledOut } from '../../contract/printable.ts';
import type { CheckResult } from './check-result.ts';

const LABELS: Readonly<Record<CheckResult['verdict'], string>> = {
  ok: 'ok  ',
  fix: 'FIX ',
  note: 'note',
  seen: '    ',
};

/**
 * One line per step, and a summary line. A result may quote the provider, so control characters are escaped for the
 * terminal.
 */
export function reportLines(results: readonly CheckResult[]): readonly string[] {
  const width = Math.max(...results.map(({ step }) => step.length), 0);
  const lines = results.map(
    ({ step, verdict, text }) => `${LABELS[verdict]}  ${step.padEnd(width)}  ${spelledOut(text)}`,
  );
  const fixes = results.filter(({ verdict }) => verdict === 'fix').length;
  const sum = fixes === 0 ? 'Sign-in is configured.' : `${fixes} to fix before sign-in works as it should.`;
  return [...lines, '', sum];
}

/** The exit code: 1 if something must be fixed. */
export function exitCodeFor(results: readonly CheckResult[]): 0 | 1 {
  return results.some(({ verdict }) => verdict === 'fix') ? 1 : 0;
}
