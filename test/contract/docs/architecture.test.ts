import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { column, readDocument, tableRows } from '../../unit/observability/markdown-tables.ts';

const SOURCES = new URL('../../../src', import.meta.url);
const rooms = readdirSync(SOURCES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();
const architecture = readDocument('architecture.md');

it('docs/architecture.md tells of every room, and of no other', () => {
  expect(column(tableRows(architecture, 'Room'), 'Room').toSorted()).toEqual(rooms);
});

it('the picture of the rooms shows every room', () => {
  const picture = /```mermaid\nflowchart[\s\S]*?```/.exec(architecture)?.[0] ?? '';
  for (const room of rooms) expect(picture).toContain(`${room}["${room}: `);
});

interface ImportRule {
  readonly name: string;
  readonly comment?: string;
}

it('the table states the imports that are enforced', () => {
  const { forbidden } = createRequire(import.meta.url)('../../../.dependency-cruiser.cjs') as {
    readonly forbidden: readonly ImportRule[];
  };
  let compared = 0;
  for (const row of tableRows(architecture, 'Room')) {
    const room = row.get('Room') ?? '';
    const stated = row.get('May import') ?? '';
    const rule = forbidden.find(({ name }) => name === `${room}-imports`);
    // Some rows say it in words.
    if (rule === undefined || /all but|whose ports/.test(stated)) continue;
    const enforced = (rule.comment ?? '').split(': ')[1]?.split(', ') ?? [];
    const listed = stated === 'nothing' ? [] : stated.split(', ');
    expect([room, ...listed].toSorted()).toEqual(enforced.toSorted());
    compared++;
  }
  expect(compared).toBeGreaterThan(6);
});
