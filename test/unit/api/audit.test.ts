import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, createAudit, type AuditAction, type AuditRecord } from '../../../src/api/audit.ts';
import { ERROR_CODES, ServiceError } from '../../../src/errors/service-error.ts';
import { recordingLogger } from '../observability/log-lines.ts';
import { column, readDocument, tableRows } from '../observability/markdown-tables.ts';

const document = readDocument('audit.md');
const fields = tableRows(document, 'Field');
const SHOWS_NO_VALUE: readonly AuditAction[] = ['secret.list', 'secret.versions', 'secret.consumers'];

function ground() {
  const { logger, lines, text } = recordingLogger();
  return { audit: createAudit(logger), lines, text };
}

/** A record with all that a request can have learned. */
function record(action: AuditAction): AuditRecord {
  return {
    action,
    actor: 'dev@example.com',
    requestId: 'request-1',
    namespace: 'team-a',
    name: 'db',
    version: 3,
    uid: 'uid-1',
    history: 'cleaned',
    restarted: 2,
    failed: 1,
    workloads: 'Deployment/web,StatefulSet/db',
  };
}

const bare = (action: AuditAction): AuditRecord => ({
  action,
  actor: 'dev@example.com',
  requestId: 'request-1',
  namespace: 'team-a',
});

describe('an audit line', () => {
  it('says who did what to which Secret, and how it ended', () => {
    const { audit, lines } = ground();
    audit.succeeded(record('secret.delete'), 'pending');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(String) as string,
        event: 'audit',
        component: 'audit',
        outcome: 'pending',
        ...record('secret.delete'),
      },
    ]);
  });

  it.each(AUDIT_ACTIONS)('of %s is written for its success unless it shows no value', (action) => {
    const { audit, lines } = ground();
    audit.succeeded(record(action), 'succeeded');
    expect(lines().map((line) => line['outcome'])).toEqual(
      SHOWS_NO_VALUE.includes(action) ? [] : ['succeeded'],
    );
  });

  it.each(AUDIT_ACTIONS)('of %s is written for its denial', (action) => {
    const { audit, lines } = ground();
    audit.failed(bare(action), new ServiceError('forbidden', 'No', { reason: 'deniedByAccessRules' }));
    expect(lines()).toMatchObject([
      { action, outcome: 'denied', code: 'forbidden', reason: 'deniedByAccessRules' },
    ]);
  });

  it.each(AUDIT_ACTIONS)('of %s is written for its failure unless it shows no value', (action) => {
    const { audit, lines } = ground();
    audit.failed(bare(action), new ServiceError('notFound', 'No'));
    expect(lines().map((line) => line['outcome'])).toEqual(SHOWS_NO_VALUE.includes(action) ? [] : ['failed']);
  });

  it('is denied, uncertain or failed by its code', () => {
    for (const code of ERROR_CODES) {
      const { audit, lines } = ground();
      audit.failed(bare('secret.update'), new ServiceError(code, 'x'));
      const expected = code === 'forbidden' ? 'denied' : code === 'uncertain' ? 'uncertain' : 'failed';
      expect(lines()).toMatchObject([{ outcome: expected, code }]);
    }
  });

  it('takes nothing from an unexpected error', () => {
    const { audit, lines, text } = ground();
    const error = Object.assign(new Error('planted-4711'), { code: 'planted-4711', reason: 'planted-4711' });
    audit.failed(bare('secret.update'), error);
    expect(lines()).toMatchObject([{ outcome: 'failed', code: 'internal' }]);
    expect(text()).not.toContain('planted-4711');
  });

  it('does not take the message of an error along', () => {
    const { audit, text } = ground();
    audit.failed(bare('secret.update'), new ServiceError('conflict', 'a public message'));
    expect(text()).not.toContain('a public message');
  });
});

describe('docs/audit.md', () => {
  it('describes every action once, and no other', () => {
    expect(column(tableRows(document, 'Action'), 'Action')).toEqual([...AUDIT_ACTIONS]);
  });

  it('says of each action when there is a line', () => {
    for (const row of tableRows(document, 'Action')) {
      const onlyDenied = SHOWS_NO_VALUE.includes(row.get('Action') as AuditAction);
      expect(row.get('Line when')).toBe(onlyDenied ? 'denied' : 'always');
    }
  });

  it('describes every outcome once, and no other', () => {
    const { audit, lines } = ground();
    audit.succeeded(record('secret.read'), 'succeeded');
    audit.succeeded(record('secret.delete'), 'pending');
    for (const code of ERROR_CODES) audit.failed(bare('secret.update'), new ServiceError(code, 'x'));
    const outcomes = new Set(lines().map((line) => String(line['outcome'])));
    expect(column(tableRows(document, 'Outcome'), 'Outcome').toSorted()).toEqual([...outcomes].toSorted());
  });

  it('describes every field of real lines, and no other', () => {
    const { audit, lines } = ground();
    audit.succeeded(record('secret.delete'), 'succeeded');
    audit.failed(bare('secret.update'), new ServiceError('conflict', 'x', { reason: 'writeRace' }));
    const seen = new Set(lines().flatMap((line) => Object.keys(line)));
    expect(column(fields, 'Field').toSorted()).toEqual([...seen].toSorted());
  });

  it('says of each field whether every line has it', () => {
    const { audit, lines } = ground();
    audit.succeeded(bare('secret.create'), 'succeeded');
    const always = fields.filter((row) => row.get('Present') === 'always');
    expect(column(always, 'Field').toSorted()).toEqual(Object.keys(lines()[0] ?? {}).toSorted());
  });

  it('shows an example that is a real line', () => {
    const example: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(document)?.[1] ?? '');
    const { audit, lines } = ground();
    const updated = { ...bare('secret.update'), name: 'db', version: 3, uid: 'uid-1' };
    audit.succeeded(updated, 'succeeded');
    expect(Object.keys(example as object).toSorted()).toEqual(Object.keys(lines()[0] ?? {}).toSorted());
  });
});
