import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { debianProgram } from '../../harness/debian-program.ts';
import { readDocument } from '../../unit/observability/markdown-tables.ts';

const { path: jq, env } = debianProgram('jq');

it.each([
  ['in order', [1, 2, 3], []],
  ['with a gap, shuffled, and one delivered twice', [5, 1, 2, 2, 7], [3, 4, 6]],
  ['whose first lines are missing', [3, 4], [1, 2]],
])('docs/audit.md has a recipe that shows what is missing of lines %s', (_what, sequences, missing) => {
  const recipe = /jq -rs '([^']+)' audit\.log/.exec(readDocument('audit.md'))?.[1] ?? '';
  const log = sequences.map((sequence) => JSON.stringify({ component: 'audit', process: 'p', sequence }));
  const input = ['{"event":"request"}', ...log].join('\n');
  const result = spawnSync(jq, ['-rs', recipe], { input, env });
  const expected = missing.length === 0 ? '' : `p\t${missing.join(',')}\n`;
  expect([result.stdout.toString(), result.stderr.toString()]).toEqual([expected, '']);
});
