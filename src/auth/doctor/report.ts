import { spelledOut } from '../../contract/printable.ts';
import type { Finding } from './finding.ts';

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok  ',
  fix: 'FIX ',
  note: 'note',
  seen: '    ',
};

/**
 * One line per step, and one that sums up. A finding may quote what the provider announced, which must not steer the
 * terminal.
 */
export function reportLines(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(...findings.map(({ step }) => step.length), 0);
  const lines = findings.map(
    ({ step, verdict, text }) => `${MARKS[verdict]}  ${step.padEnd(width)}  ${spelledOut(text)}`,
  );
  const fixes = findings.filter(({ verdict }) => verdict === 'fix').length;
  const sum = fixes === 0 ? 'Sign-in is configured.' : `${fixes} to fix before sign-in works as it should.`;
  return [...lines, '', sum];
}

/** The exit code: 1 when anything is to be fixed. */
export function exitCodeFor(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ verdict }) => verdict === 'fix') ? 1 : 0;
}
