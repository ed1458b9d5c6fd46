import { structuredPatch } from 'diff';

/** Longer texts are not compared line by line, nor are texts with more differences. */
const LONGEST = 300_000;
const MOST_DIFFERENCES = 2_000;
const PATIENCE_MS = 300;
/** Lines that are shown before and after a difference. */
const CONTEXT = 3;

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly text: string;
}

/** The lines that differ, in groups with a few lines around each; undefined where the texts are too large or too different. */
export function lineDiff(before: string, after: string): readonly (readonly DiffLine[])[] | undefined {
  if (before.length > LONGEST || after.length > LONGEST) return undefined;
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_DIFFERENCES,
    timeout: PATIENCE_MS,
  });
  return patch?.hunks.map(({ lines }) => lines.map(lineOf));
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

function lineOf(line: string): DiffLine {
  const kind = KINDS[line.charAt(0)];
  return kind === undefined
    ? { kind: 'note', text: 'No line break at the end' }
    : { kind, text: line.slice(1) };
}
