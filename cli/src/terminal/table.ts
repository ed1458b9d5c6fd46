import { beginning, spelledOut, UNPRINTABLE } from '../../../src/contract/printable.ts';
import type { Terminal } from './terminal.ts';

const GAP = '  ';
/** Columns of notes and lists of keys, which are cut so that a row stays a row. A name is never cut: it is to be copied. */
const CUT = ['KEYS', 'NOTE'];
const MAX_CELL = 60;

/** A table for people; where there is no row, a line on standard error says so. */
export function writeTable(
  terminal: Terminal,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) {
    terminal.note('There is nothing that you can see.');
    return;
  }
  const cells = [columns, ...rows].map((row) =>
    row.map(spelledOut).map((cell, at) => (CUT.includes(columns[at] ?? '') ? cut(cell) : cell)),
  );
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  for (const [index, row] of cells.entries()) {
    const text = row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(GAP);
    terminal.line(text.trimEnd(), index === 0 ? 'bold' : undefined);
  }
}

const cut = (text: string) => (text.length <= MAX_CELL ? text : `${beginning(text, MAX_CELL - 1)}…`);

/** JSON for programs: two spaces, a line break at the end. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.write(`${jsonOf(value)}\n`);
}

/** Characters that would disturb a terminal are escaped: `JSON.stringify` does so in ASCII alone. */
export function jsonOf(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, undefined, 2).replace(UNPRINTABLE, (one) =>
    one === '\n' ? one : one.replaceAll(/[^]/g, escaped),
  );
}
