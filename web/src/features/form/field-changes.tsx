import type { SecretDetail } from '../../api/secrets-api.ts';
import type { Draft } from '../../editing/draft.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { Facts } from '../../ui/facts.tsx';
import { COMMON_WORDS } from '../../words/common.ts';
import { FIELD_CHANGES_WORDS } from '../../words/form.ts';

export interface FieldChange {
  readonly label: string;
  /** Undefined: there is no "before" to speak of. */
  readonly before?: string;
  readonly after: string;
}

type Fields = Pick<Draft, 'description' | 'allowedGroups' | 'allowedUsers'>;

const OPEN: FieldChange = { label: FIELD_CHANGES_WORDS.access, after: FIELD_CHANGES_WORDS.everyone };

export function FieldChanges({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <Facts
      label={COMMON_WORDS.descriptionAndAccess}
      facts={fields.map(({ label, before, after }) => ({
        term: label,
        description:
          before === undefined ? (
            orNone(after)
          ) : (
            <>
              <del>{orNone(before)}</del> <ins>{orNone(after)}</ins>
            </>
          ),
      }))}
    />
  );
}

/** Everything beside the values that a new Secret gets. */
export function newFields(draft: Fields): readonly FieldChange[] {
  const { description, allowedGroups, allowedUsers } = draft;
  if (!hasRules(draft)) return [{ label: COMMON_WORDS.description, after: description }, OPEN];
  return [
    { label: COMMON_WORDS.description, after: description },
    { label: COMMON_WORDS.allowedGroups, after: allowedGroups.join(', ') },
    { label: COMMON_WORDS.allowedUsers, after: allowedUsers.join(', ') },
  ];
}

/** What differs beside the values, and what it means when the rules no longer name anyone. */
export function changedFields(base: SecretDetail, draft: Fields): readonly FieldChange[] {
  const changed = [
    { label: COMMON_WORDS.description, before: base.description, after: draft.description },
    accessChange(COMMON_WORDS.allowedGroups, base.allowedGroups, draft.allowedGroups),
    accessChange(COMMON_WORDS.allowedUsers, base.allowedUsers, draft.allowedUsers),
  ].filter(({ before, after }) => before !== after);
  return !hasRules(draft) && hasRules(base) ? [...changed, OPEN] : changed;
}

function accessChange(label: string, before: readonly string[], after: readonly string[]) {
  return { label, before: before.join(', '), after: after.join(', ') };
}

function orNone(text: string): string {
  return text === '' ? FIELD_CHANGES_WORDS.none : text;
}
