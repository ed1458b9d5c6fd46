import { searchText } from '../contract/search-text.ts';
import type { SecretSummary } from '../secrets/secret-view.ts';

/** What many summaries have in common, as JSON. */
export interface SummaryForm {
  readonly managed: boolean;
  readonly terminating: boolean;
  readonly type: string;
  /** Characters that are common. */
  readonly length: number;
  /** The summary as JSON. @param own what `cut` returned beside the form */
  join(named: Named, own: string): string;
  /** Whether a key name or the description contains a word, as {@link searchText}. */
  hasWord(own: string, word: string): boolean;
  /** When the Secret was last changed, in milliseconds since 1970; 0 if its summary does not say. */
  changedMs(own: string): number;
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
        return { form: new WholeForm(summary), own: JSON.stringify(summary) };
      const made = new SharedForm(summary, own);
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

class SharedForm implements SummaryForm {
  readonly managed: boolean;
  readonly terminating: boolean;
  readonly type: string;
  readonly length: number;
  readonly #parts: readonly string[];
  readonly #gaps: readonly Gap[];
  readonly #own: readonly OwnField[];
  /** As {@link searchText}, one on each line. */
  readonly #keyNames: string;

  constructor(summary: SecretSummary, own: readonly OwnField[]) {
    const { parts, gaps } = split(summary, own);
    this.managed = summary.managedByService;
    this.terminating = summary.deletionTimestamp !== undefined;
    this.type = summary.type;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
    this.#parts = parts;
    this.#gaps = gaps;
    this.#own = own;
    this.#keyNames = searchTextOf(summary.keys);
  }

  join(named: Named, own: string): string {
    const texts = own.split(SEPARATOR);
    let json = this.#parts[0] ?? '';
    for (const [index, gap] of this.#gaps.entries()) {
      json += typeof gap === 'number' ? (texts[gap] ?? '') : JSON.stringify(named[gap]);
      json += this.#parts[index + 1] ?? '';
    }
    return json;
  }

  hasWord(own: string, word: string): boolean {
    if (this.#keyNames.includes(word)) return true;
    if (cannotContain(own, word)) return false;
    return searchText(this.#text(own, 'description') ?? '').includes(word);
  }

  changedMs(own: string): number {
    return changedMsOf({
      lastModifiedAt: this.#text(own, 'lastModifiedAt'),
      creationTimestamp: this.#text(own, 'creationTimestamp'),
    });
  }

  #text(own: string, field: OwnField): string | undefined {
    const index = this.#own.indexOf(field);
    if (index === -1) return undefined;
    const json = own.split(SEPARATOR)[index] ?? '""';
    // Few texts contain anything escaped.
    return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
  }
}

/** Of one summary alone: its own text is all of it. */
class WholeForm implements SummaryForm {
  readonly managed: boolean;
  readonly terminating: boolean;
  readonly type: string;
  readonly length = 0;

  constructor({ managedByService, deletionTimestamp, type }: SecretSummary) {
    this.managed = managedByService;
    this.terminating = deletionTimestamp !== undefined;
    this.type = type;
  }

  join(_named: Named, own: string): string {
    return own;
  }

  hasWord(own: string, word: string): boolean {
    if (cannotContain(own, word)) return false;
    const { keys, description } = JSON.parse(own) as SecretSummary;
    return searchTextOf([...keys, description]).includes(word);
  }

  changedMs(own: string): number {
    return changedMsOf(JSON.parse(own) as SecretSummary);
  }
}

/** Most texts have nothing escaped, and what such a text does not contain is in none of its fields. */
function cannotContain(json: string, word: string): boolean {
  return !searchText(json).includes(word) && !json.includes('\\');
}

function searchTextOf(texts: readonly string[]): string {
  return searchText(texts.join(SEPARATOR));
}

function changedMsOf({
  lastModifiedAt = '',
  creationTimestamp = '',
}: {
  readonly lastModifiedAt?: string | undefined;
  readonly creationTimestamp?: string | undefined;
}): number {
  const modified = Date.parse(lastModifiedAt);
  const changed = Number.isNaN(modified) ? Date.parse(creationTimestamp) : modified;
  return Number.isNaN(changed) ? 0 : changed;
}
