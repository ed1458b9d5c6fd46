import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { debianProgram } from '../../harness/debian-program.ts';
import { column, listRows, readDocument } from '../../unit/observability/markdown-tables.ts';

// The queries of docs/runbook.md and docs/observability.md on a log that has each event: each of them finds something, so
// that no query waits for an event, a code or a field that no line has.

const jq = debianProgram('jq');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-test-'));
  writeFileSync(join(folder, 'log'), LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** An entry is one event, which may have a comma in it, or several. */
const EVENTS = column(
  listRows(readDocument('observability.md'), 'Events', ['Event', 'Level', 'Meaning']),
  'Event',
).flatMap((entry) => [entry, ...entry.split(', ')]);

/** A failed request of someone; codes and fields that single queries look for come on top. */
const REQUEST = {
  event: 'request',
  time: '2026-03-04T05:06:07.089Z',
  requestId: '4f9d7c52-9a0e-4f57-8a1c-6a4c0b0f7a11',
  method: 'GET',
  route: '/api/namespaces/:namespace/secrets/:name',
  namespace: 'team-a',
  status: 503,
  durationMs: 9,
};
const AUDIT = {
  ...REQUEST,
  event: 'audit',
  component: 'audit',
  actor: 'alice@example.com',
  name: 'db',
  action: 'secret.read',
};
const LINES: readonly object[] = [
  ...EVENTS.map((event) => ({
    event,
    time: REQUEST.time,
    problem: 'malformed',
    code: 'timeout',
    component: 'history',
  })),
  ...['policyUnavailable', 'historyUnavailable', 'listOverBudget'].map((code) => ({ ...REQUEST, code })),
  { ...REQUEST, code: 'rbacForbidden', reason: 'rbacForbidden:get:secrets' },
  { event: 'cluster request', verb: 'get', resource: 'secrets', status: 503, outcome: 'unavailable' },
  ...['failed', 'uncertain', 'succeeded'].map((outcome) => ({ ...AUDIT, outcome, code: 'conflict' })),
  { ...AUDIT, action: 'session.signIn', outcome: 'succeeded', clientAddress: '192.0.2.1' },
];

/** A query may stand in a block or between backticks, over two lines. */
function queriesOf(document: string): readonly string[] {
  const inBlocks = [...document.matchAll(/^(logs .*\| jq .*)$/gm)].map(([, query = '']) => query);
  const inText = [...document.matchAll(/`(logs [^`]*\| jq [^`]*)`/g)].map(([, query = '']) => query);
  return [...inBlocks, ...inText.map((query) => query.replaceAll('\n', ' '))];
}

describe.each(['runbook.md', 'observability.md'])('docs/%s', (name) => {
  const document = readDocument(name);

  it.each(queriesOf(document))('%s', (query) => {
    const logs = name === 'runbook.md' ? `logs() { ${jq.path} -cR 'fromjson?' log; }` : 'logs() { cat log; }';
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--norc', '-c', `set -o pipefail\n${logs}\n${query}`],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...jq.env, PATH: [dirname(jq.path), process.env['PATH'] ?? ''].join(delimiter) },
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trim()).not.toBe('');
  });
});
