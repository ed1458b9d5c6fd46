import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, BOUNDED_ACTIONS, BOUNDED_LINES } from '../../../src/api/runner/audit.ts';
import { ERROR_CODES, ServiceError } from '../../../src/errors/service-error.ts';
import { column, readDocument, listRows } from '../observability/markdown-tables.ts';
import { fixture, record, bare, SHOWS_NO_VALUE, writeEverything } from './audit-fixture.ts';

const document = readDocument('audit.md');

const actions = listRows(document, 'Actions', ['Action', 'Line when', 'Request']);
const fields = listRows(document, 'Fields', ['Field', 'Present', 'Meaning']);

describe('docs/audit.md', () => {
  it('describes every action once, and no other', () => {
    expect(column(actions, 'Action')).toEqual([...AUDIT_ACTIONS]);
  });

  it('says of each action when there is a line', () => {
    for (const row of actions) {
      const action = row.get('Action') ?? '';
      const isBounded = (BOUNDED_ACTIONS as readonly string[]).includes(action);
      const expected = SHOWS_NO_VALUE.includes(action) ? 'denied' : isBounded ? 'always, bounded' : 'always';
      expect([action, row.get('Line when')]).toEqual([action, expected]);
    }
  });

  it('describes every outcome once, and no other', () => {
    const { audit, lines } = fixture();
    audit.succeeded(record('secret.read'), 'succeeded');
    audit.succeeded(record('secret.delete'), 'pending');
    for (const code of ERROR_CODES) audit.failed(bare('secret.update'), new ServiceError(code, 'x'));
    writeEverything(audit);
    const outcomes = new Set(lines().map((line) => String(line['outcome'])));
    expect(column(listRows(document, 'Outcomes', ['Outcome', 'Meaning']), 'Outcome').toSorted()).toEqual(
      [...outcomes].toSorted(),
    );
  });

  it('describes every field of real lines, and no other', () => {
    const { audit, lines } = fixture();
    writeEverything(audit);
    const seen = new Set(lines().flatMap((line) => Object.keys(line)));
    expect(column(fields, 'Field').toSorted()).toEqual([...seen].toSorted());
  });

  it('says of each field whether every line has it', () => {
    const { audit, lines } = fixture();
    audit.succeeded(bare('secret.create'), 'succeeded');
    writeEverything(audit);
    const written = lines().map((line) => new Set(Object.keys(line)));
    const common = written.reduce((one, other) => one.intersection(other));
    const always = fields.filter((row) => row.get('Present') === 'always');
    expect(column(always, 'Field').toSorted()).toEqual([...common].toSorted());
  });

  it('names the bound of what anyone can cause', () => {
    expect(document).toContain(`${BOUNDED_LINES} lines of each`);
  });

  it('shows an example that is a real line', () => {
    const example: unknown = JSON.parse(/```json\n([\s\S]*?)```/.exec(document)?.[1] ?? '');
    const { audit, lines } = fixture();
    const updated = {
      ...bare('secret.update'),
      accessLevel: 'write',
      session: 's',
      name: 'db',
      version: 3,
      uid: 'uid-1',
    } as const;
    audit.succeeded(updated, 'succeeded');
    expect(Object.keys(example as object).toSorted()).toEqual(Object.keys(lines()[0] ?? {}).toSorted());
  });
});
