import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../../hack/dependencies/advisories.ts';

const PROGRAM = fileURLToPath(new URL('../../../hack/audit-dependencies.ts', import.meta.url));
const PROJECT = path.dirname(path.dirname(PROGRAM));

const report = (vulnerabilities: Readonly<Record<string, string>>) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(vulnerabilities).map(([name, severity]) => [name, { name, severity }]),
    ),
  });
const REFUSED = JSON.stringify({
  message: '405 Method Not Allowed',
  statusCode: 405,
  error: { summary: '' },
});
const AWAY = JSON.stringify({ message: 'connect ECONNREFUSED', error: { summary: '', detail: '' } });
const NO_LOCK = JSON.stringify({ error: { code: 'ENOLOCK', summary: '' } });

describe('the report of npm audit', () => {
  it('distinguishes severe advisories from others', () => {
    expect(readAudit(report({ a: 'low', b: 'high', c: 'moderate', d: 'critical' }))).toEqual({
      outcome: 'answered',
      severe: ['b (high)', 'd (critical)'],
      others: 2,
    });
    expect(readAudit(report({}))).toEqual({ outcome: 'answered', severe: [], others: 0 });
  });

  it.each([
    ['has no such endpoint', REFUSED, 'it answered 405'],
    ['is away', AWAY, 'it was not reached'],
  ])('reports that the registry %s', (_what, output, why) => {
    expect(readAudit(output)).toEqual({ outcome: 'unanswered', why });
  });

  it.each([
    ['there is no lock file', NO_LOCK],
    ['npm failed without a word', ''],
    ['npm wrote something else', 'npm error'],
    ['npm wrote a list', '[]'],
    ['the form of the report has changed', '{"auditReportVersion": 3, "vulnerabilities": {}}'],
  ])('does not take it for an unreachable registry that %s', (_what, output) => {
    expect(readAudit(output).outcome).toBe('broken');
  });
});

describe('make audit-dependencies', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'npm-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** With an npm that answers this for the service, and finds nothing about the pages. */
  function run(output: string) {
    writeFileSync(path.join(folder, 'service.json'), output);
    writeFileSync(path.join(folder, 'pages.json'), report({}));
    const choice = 'case "$PWD" in */web) f=pages;; *) f=service;; esac';
    const script = `#!/bin/sh\n${choice}\ncat "${folder}/$f.json"\nexit 1\n`;
    writeFileSync(path.join(folder, 'npm'), script, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    return spawnSync(process.execPath, [PROGRAM], { cwd: PROJECT, env, encoding: 'utf8' });
  }

  it.each([
    ['finds nothing', report({ a: 'moderate' }), 0, '0 packages with severe advisories, 1 with others'],
    ['finds something severe', report({ '\u001b[2Jevil': 'high' }), 1, '\\u{1b}[2Jevil (high)'],
    [
      'is not answered',
      REFUSED,
      0,
      'not checked, since the registry does not answer audits (it answered 405)',
    ],
    ['cannot be made', NO_LOCK, 1, 'the audit could not be made: ENOLOCK'],
  ])('says so when the audit %s, and fails or not', (_what, output, code, text) => {
    const { status, stdout } = run(output);
    expect([status, stdout]).toEqual([code, expect.stringContaining(`the service: ${text}\n`) as string]);
  });
});
