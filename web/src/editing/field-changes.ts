import type { SecretSummary } from '../api/secrets-api.ts';
import { hasRules, RULE_LISTS, type AccessRules, type RuleList } from '../../../src/contract/access-rules.ts';
import { changedTexts, TEXT_FIELDS, TEXT_LABELS, type Texts } from './draft.ts';
import { changedLists, RULE_LABELS } from './rules.ts';

/** What becomes of the description or a list, in words. */
export interface FieldChange {
  readonly label: string;
  /** Undefined: there is no "before" to speak of. */
  readonly before?: string;
  readonly after: string;
}

type Fields = Texts & AccessRules;

const OPEN: FieldChange = { label: 'Access', after: 'everyone with access to the namespace' };

/** Everything beside the values that a new Secret gets. */
export function newFields(draft: Fields): readonly FieldChange[] {
  const lists = RULE_LISTS.map((list) => ({ label: RULE_LABELS[list], after: textOf(draft, list) }));
  const texts = TEXT_FIELDS.map((field) => ({ label: TEXT_LABELS[field], after: draft[field] ?? '' }));
  return [
    ...texts.filter(({ after }, index) => index === 0 || after !== ''),
    ...(hasRules(draft) ? [] : [OPEN]),
    ...lists.filter(({ after }) => after !== ''),
  ];
}

/** What differs beside the values, and what it means when the rules no longer name anyone. */
export function changedFields(base: SecretSummary, draft: Fields): readonly FieldChange[] {
  const changed = [
    ...changedTexts(base, draft).map((field) => ({
      label: TEXT_LABELS[field],
      before: base[field] ?? '',
      after: draft[field] ?? '',
    })),
    ...changedLists(base, draft).map((list) => ({
      label: RULE_LABELS[list],
      before: textOf(base, list),
      after: textOf(draft, list),
    })),
  ];
  return !hasRules(draft) && hasRules(base) ? [...changed, OPEN] : changed;
}

function textOf(rules: AccessRules, list: RuleList): string {
  return (rules[list] ?? []).join(', ');
}
