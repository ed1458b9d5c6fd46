import { spawnSync } from 'node:child_process';
import { spelledOut } from '../src/contract/printable.ts';
import { readAudit, type AuditVerdict } from './dependencies/advisories.ts';

// `make audit-dependencies`: fails on an advisory of high or critical severity about a package that the image ships. Where
// the registry does not answer audits, as mirrors and machines without a network do not, it says so and does not fail.

const TIMEOUT_MS = 120_000;
const AUDIT = [
  'audit',
  '--omit=dev',
  '--omit=optional',
  '--json',
  '--fetch-retries=1',
  '--fetch-timeout=30000',
];

function audit(folder: string): AuditVerdict {
  // npm exits with 1 for an advisory and for a failure; its output distinguishes them.
  const { stdout, error } = spawnSync('npm', AUDIT, {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') return { outcome: 'unanswered', why: 'it took too long' };
  if (code !== undefined) return { outcome: 'broken', why: `npm could not be run (${code})` };
  return readAudit(stdout);
}

/** @returns whether it holds, as far as that is known */
function report(what: string, verdict: AuditVerdict): boolean {
  const say = (text: string): void => {
    console.log(`audit-dependencies: ${what}: ${spelledOut(text)}`);
  };
  switch (verdict.outcome) {
    case 'unanswered':
      say(`not checked, since the registry does not answer audits (${verdict.why})`);
      return true;
    case 'broken':
      say(`the audit could not be made: ${verdict.why}`);
      return false;
    case 'answered':
      for (const one of verdict.severe) say(one);
      say(`${verdict.severe.length} packages with severe advisories, ${verdict.others} with others`);
      return verdict.severe.length === 0;
  }
}

const results = [report('the service', audit('.')), report('the pages', audit('web'))];
process.exitCode = results.every(Boolean) ? 0 : 1;
