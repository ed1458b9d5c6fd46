import { expect, it, vi } from 'vitest';
import { writeJson, writeTable } from '../src/terminal/table.ts';

function rowOf(column: string, cell: string): string {
  const lines: string[] = [];
  const line = (text: string) => void lines.push(text);
  writeTable({ line } as unknown as Parameters<typeof writeTable>[0], [column], [[cell]]);
  return lines[1] ?? '';
}

it.each(['NAME', 'KEY', 'WHO', 'BY', 'TYPE'])('a %s is never cut', (column) => {
  expect(rowOf(column, 'x'.repeat(300))).toBe('x'.repeat(300));
});

it.each(['KEYS', 'NOTE'])('a long text of %s is cut, and not within a character', (column) => {
  expect(rowOf(column, 'x'.repeat(60))).toBe('x'.repeat(60));
  expect(rowOf(column, 'x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
  expect(rowOf(column, `${'x'.repeat(58)}😀yz`)).toBe(`${'x'.repeat(58)}…`);
});

it('JSON has escapes for what would disturb a terminal, and is the same JSON', () => {
  const write = vi.fn<(text: string) => void>();
  const value = '\u009b31m\u007f\u202e\u{e0041}é😀\n';
  writeJson({ write } as unknown as Parameters<typeof writeJson>[0], [value]);
  const text = String.raw`"\u009b31m\u007f\u202e\udb40\udc41é😀\n"`;
  expect(write).toHaveBeenCalledExactlyOnceWith(`[\n  ${text}\n]\n`);
  expect(JSON.parse(text)).toBe(value);
});
