import { spelledOut } from '../../contract/printable.ts';
import type { InspectedObject, Inspection } from './inspect.ts';

/** One line for each version. */
export function listReport(inspection: Inspection): readonly string[] {
  const rows = inspection.objects.map(({ stored, metadata, state }) => [
    metadata === undefined ? '?' : String(metadata.version),
    state,
    metadata?.sourceResourceVersion ?? '?',
    stored.creationTimestamp,
    metadata?.lastModifiedBy ?? '-',
    stored.name,
  ]);
  return [
    headline(inspection),
    ...table([['VERSION', 'STATE', 'SOURCE REVISION', 'ARCHIVED', 'LAST MODIFIED BY', 'NAME'], ...rows]),
  ];
}

/** Everything about the versions, or about one of them, except their values. */
export function showReport(inspection: Inspection, version?: number): readonly string[] {
  const shown = inspection.objects.filter(
    ({ metadata }) => version === undefined || metadata?.version === version,
  );
  return [headline(inspection), ...shown.flatMap((object) => ['', ...details(object)])];
}

/** One line for each problem. */
export function verifyReport({ ref, objects }: Inspection): readonly string[] {
  const problems = objects.flatMap(({ stored, problems }) =>
    problems.map((problem) => `${spelledOut(stored.name)}: ${problem}`),
  );
  const checked = `${ref.namespace}/${ref.name}: ${objects.length} objects checked`;
  return [...problems, `${checked}, ${problems.length === 0 ? 'no' : problems.length} problems`];
}

function headline({ ref, live }: Inspection): string {
  const name = `${ref.namespace}/${ref.name}`;
  if (live === undefined) return `${name}: no live Secret`;
  const going = live.deletionTimestamp === undefined ? '' : ', being deleted';
  return `${name}: live, version ${live.managed.version}, uid ${live.uid}${going}`;
}

function details({ stored, keys, metadata, state, problems }: InspectedObject): readonly string[] {
  const orphanedAt = stored.managed.snapshot?.orphanedAt;
  const lines = [
    ['name', stored.name],
    ['state', state],
    ['version', metadata === undefined ? '?' : String(metadata.version)],
    ['archived', stored.creationTimestamp],
    ['source uid', metadata?.uid ?? '?'],
    ['source revision', metadata?.sourceResourceVersion ?? '?'],
    ['source type', metadata?.type ?? '?'],
    [
      'last modified',
      [metadata?.lastModifiedAt, metadata?.lastModifiedBy].filter(Boolean).join(' by ') || '-',
    ],
    ...(orphanedAt === undefined ? [] : [['orphaned since', orphanedAt]]),
    ['keys', keys || '-'],
    ...(problems.length === 0 ? [] : [['problems', problems.join(', ')]]),
  ];
  return table(lines.map(([label = '', text = '']) => [`${label}:`, text]));
}

/** Anyone can write annotations, so control characters and separators of columns are escaped. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const cleaned = rows.map((row) => row.map(spelledOut));
  const widths = (cleaned[0] ?? []).map((_cell, column) =>
    Math.max(...cleaned.map((row) => row[column]?.length ?? 0)),
  );
  return cleaned.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
