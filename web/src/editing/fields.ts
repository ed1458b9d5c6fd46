import { hasRules, RULE_LISTS, type AccessRules } from '../../../src/contract/access-rules.ts';
import type { SecretSummary } from '../api/secrets-api.ts';

/** What a Secret has beside its values: texts, absent where they are empty, and the lists of its access rules. */
export const TEXT_FIELDS = ['description', 'expiresAt', 'rotateEvery'] as const;
export const FIELDS = [...TEXT_FIELDS, ...RULE_LISTS] as const;
export type Field = (typeof FIELDS)[number];
export type Texts = Pick<SecretSummary, (typeof TEXT_FIELDS)[number]>;
export type Fields = Texts & AccessRules;

/** What the pages call each. */
export const FIELD_LABELS: Readonly<Record<Field, string>> = {
  description: 'Description',
  expiresAt: 'Expires on',
  rotateEvery: 'Rotate every',
  allowedGroups: 'Groups that can manage',
  allowedUsers: 'Users that can manage',
  writerGroups: 'Groups that can write',
  writerUsers: 'Users that can write',
  readerGroups: 'Groups that can read',
  readerUsers: 'Users that can read',
};

/** What empties all of them. */
export const NO_FIELDS: Required<Fields> = {
  ...{ description: '', expiresAt: '', rotateEvery: '' },
  ...{
    allowedGroups: [],
    allowedUsers: [],
    writerGroups: [],
    writerUsers: [],
    readerGroups: [],
    readerUsers: [],
  },
};

/** The fields alone, of something that has more. */
export function fieldsOf<Whole extends Partial<Fields>>(whole: Whole, which: readonly Field[] = FIELDS) {
  const present = which.filter((field) => whole[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, whole[field]])) as Pick<
    Whole,
    Field & keyof Whole
  >;
}

/** The fields that differ, lists in whatever order their entries stand; one that is left out is empty. */
export function changedFields(
  before: Partial<Fields>,
  after: Partial<Fields>,
  which: readonly Field[] = FIELDS,
): readonly Field[] {
  const sorted = (value: string | readonly string[] = '') =>
    typeof value === 'string' ? value : value.toSorted().join();
  return which.filter((field) => sorted(before[field]) !== sorted(after[field]));
}

/** A field in words; no entry of a list has a comma. */
export function fieldText(fields: Partial<Fields>, field: Field): string {
  const value = fields[field] ?? '';
  return typeof value === 'string' ? value : value.join(', ');
}

export const orNone = (text: string): string => (text === '' ? 'none' : text);

/** What happens to a field, in words. */
export interface FieldChange {
  readonly label: string;
  /** Undefined: there is no "before" to speak of. */
  readonly before?: string;
  readonly after: string;
}

const OPEN: FieldChange = { label: 'Access', after: 'everyone with access to the namespace' };

/** Everything beside the values that a new Secret gets. */
export function newFields(draft: Fields): readonly FieldChange[] {
  const filled = (which: readonly Field[]) =>
    which
      .filter((field) => field === 'description' || fieldText(draft, field) !== '')
      .map((field) => ({ label: FIELD_LABELS[field], after: fieldText(draft, field) }));
  return [...filled(TEXT_FIELDS), ...(hasRules(draft) ? [] : [OPEN]), ...filled(RULE_LISTS)];
}

/** What differs beside the values, and what it means when the rules no longer name anyone. */
export function fieldChanges(base: Fields, draft: Fields): readonly FieldChange[] {
  const changed = changedFields(base, draft).map((field) => ({
    label: FIELD_LABELS[field],
    before: fieldText(base, field),
    after: fieldText(draft, field),
  }));
  return !hasRules(draft) && hasRules(base) ? [...changed, OPEN] : changed;
}
