import { readFileSync } from 'node:fs';

/** A row of a table: its cells by the heading of their column, without backticks. */
export type Row = ReadonlyMap<string, string>;

/** The text of a document under docs. */
export function readDocument(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}

/** The rows of all tables of a document whose first column has this heading. */
export function tableRows(document: string, firstHeading: string): readonly Row[] {
  const rows: Row[] = [];
  let headings: readonly string[] | undefined;
  for (const line of document.split('\n')) {
    const cells = line.startsWith('|') ? cellsOf(line) : undefined;
    if (cells === undefined) headings = undefined;
    else if (headings === undefined) headings = cells;
    else if (headings[0] === firstHeading && !/^-+$/.test(cells[0] ?? '')) {
      rows.push(new Map(headings.map((heading, index) => [heading, cells[index] ?? ''])));
    }
  }
  return rows;
}

/**
 * The entries of the list under a heading, such as "- `name` (detail; detail): meaning", as rows without backticks: the
 * name and the meaning by the first and the last of these columns, the details by those between.
 */
export function listRows(document: string, heading: string, columns: readonly string[]): readonly Row[] {
  const section =
    document.split(/^(?=#{2,6} )/m).find((text) => /^#+ (.*)/.exec(text)?.[1] === heading) ?? '';
  return [...section.matchAll(/^- (`[^`]+`(?:, `[^`]+`)*)(?: \(([^)]+)\))?(?:: (.+))?$/gm)].map(
    ([, name = '', details = '', meaning = '']) => {
      const cells = [name, ...details.split('; ')].map((cell) => cell.replaceAll('`', ''));
      const between = columns.slice(0, -1).map((column, index) => [column, cells[index] ?? ''] as const);
      return new Map([...between, [columns.at(-1) ?? '', meaning]]);
    },
  );
}

/** One column of such rows. */
export function column(rows: readonly Row[], heading: string): readonly string[] {
  return rows.map((row) => row.get(heading) ?? '');
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim());
}
