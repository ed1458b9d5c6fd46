import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { column, readDocument, listRows } from './markdown-tables.ts';

const ROOT = resolve(import.meta.dirname, '../../../src');
const source = globSync('**/*.ts', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const rows = listRows(readDocument('observability.md'), 'Events', ['Event', 'Level', 'Meaning']);
// An entry may list several events that belong together; commas within an event are followed by no backtick.
const described = column(rows, 'Event').flatMap((cell) =>
  source.includes(`'${cell}'`) ? [cell] : cell.split(', '),
);

describe('the events of docs/observability.md', () => {
  it.each(described)('%s is written somewhere', (event) => {
    expect(source).toContain(`'${event}'`);
  });

  it('are all that are written as constants beside the call', () => {
    const written = [...source.matchAll(/\b(?:logger|line|sink)(?:\.\w+|\[[^\]]*\])\(\s*'([^']+)'/g)].map(
      ([, event = '']) => event,
    );
    expect(written.length).toBeGreaterThan(15);
    expect(written.filter((event) => !described.includes(event))).toEqual([]);
  });

  it('have the level of each', () => {
    for (const row of rows) {
      expect(row.get('Level')).toMatch(/^(debug|info|warn|error)( or (debug|info|warn|error))?$/);
    }
  });
});
