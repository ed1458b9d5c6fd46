import type { SecretSummary } from '../secrets/secret-view.ts';

/** What many summaries have in common, as JSON. */
export interface SummaryForm {
  readonly managed: boolean;
  readonly terminating: boolean;
  /** Characters that are common. */
  readonly length: number;
  /** The summary as JSON. @param own what `cut` returned beside the form */
  join(named: Named, own: string): string;
}

/** The fields of a summary that a cached Secret has anyway. */
type Named = Pick<SecretSummary, (typeof NAMED)[number]>;

export interface SummaryForms {
  cut(summary: SecretSummary): { readonly form: SummaryForm; readonly own: string };
}

const NAMED = ['namespace', 'name', 'resourceVersion'] as const;
/** Fields that hardly two Secrets have in common. */
const OWN = [
  'description',
  'version',
  'creationTimestamp',
  'deletionTimestamp',
  'lastModifiedBy',
  'lastModifiedAt',
  'certificateNotAfter',
  'controlledBy',
] as const;
/** No JSON text contains it: there it is an escape sequence (RFC 8259, section 7). */
const SEPARATOR = '\n';
/** A longer form is hardly another summary's, and would cost more than the summary. */
const MOST_CHARACTERS = 1_024;

/** Where something is put in between two common parts: a field of the Secret, or one of its own texts. */
type Gap = keyof Named | number;

/** @param most forms are remembered; a further summary is kept whole */
export function createSummaryForms(most: number): SummaryForms {
  const known = new Map<string, SummaryForm>();
  return {
    cut: (summary) => {
      const own = OWN.filter((field) => summary[field] !== undefined);
      const key = keyOf(summary, own);
      const texts = () => own.map((field) => JSON.stringify(summary[field])).join(SEPARATOR);
      const form = known.get(key);
      if (form !== undefined) return { form, own: texts() };
      if (known.size >= most || key.length > MOST_CHARACTERS)
        return { form: createForm(summary, ['', ''], [0]), own: JSON.stringify(summary) };
      const { parts, gaps } = split(summary, own);
      const made = createForm(summary, parts, gaps);
      known.set(key, made);
      return { form: made, own: texts() };
    },
  };
}

type OwnField = (typeof OWN)[number];

/** What is common, and which fields there are. */
function keyOf(summary: SecretSummary, own: readonly OwnField[]): string {
  const common: Record<string, unknown> = { ...summary };
  for (const field of NAMED) common[field] = 0;
  for (const field of own) common[field] = 0;
  return JSON.stringify(common);
}

/** Field by field, exactly as `JSON.stringify` would write the whole. */
function split(summary: SecretSummary, own: readonly OwnField[]) {
  const parts: string[] = [];
  const gaps: Gap[] = [];
  let part = '{';
  for (const [field, value] of Object.entries(summary)) {
    part += `${part === '{' ? '' : ','}${JSON.stringify(field)}:`;
    const gap = NAMED.find((named) => named === field) ?? own.findIndex((one) => one === field);
    if (gap === -1) {
      part += JSON.stringify(value);
      continue;
    }
    parts.push(part);
    part = '';
    gaps.push(gap);
  }
  parts.push(`${part}}`);
  return { parts, gaps };
}

function createForm(
  { managedByService, deletionTimestamp }: SecretSummary,
  [first = '', ...rest]: readonly string[],
  gaps: readonly Gap[],
): SummaryForm {
  return {
    managed: managedByService,
    terminating: deletionTimestamp !== undefined,
    length: rest.reduce((sum, part) => sum + part.length, first.length),
    join: (named, own) => {
      const texts = own.split(SEPARATOR);
      let json = first;
      for (const [index, gap] of gaps.entries()) {
        json += typeof gap === 'number' ? (texts[gap] ?? '') : JSON.stringify(named[gap]);
        json += rest[index] ?? '';
      }
      return json;
    },
  };
}
