import type { SecretDetail } from '../../api/secrets-api.ts';
import type { Draft } from '../../editing/draft.ts';
import { hasRules } from '../../../../src/contract/access-rules.ts';
import { Facts } from '../../ui/facts.tsx';

export interface FieldChange {
  readonly label: string;
  /** Undefined: there is no "before" to speak of. */
  readonly before?: string;
  readonly after: string;
}

type Fields = Pick<Draft, 'description' | 'allowedGroups' | 'allowedUsers'>;

const OPEN: FieldChange = { label: 'Access', after: 'everyone with access to the namespace' };

export function FieldChanges({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <Facts
      label="Description and access"
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
  if (!hasRules(draft)) return [{ label: 'Description', after: description }, OPEN];
  return [
    { label: 'Description', after: description },
    { label: 'Allowed groups', after: allowedGroups.join(', ') },
    { label: 'Allowed users', after: allowedUsers.join(', ') },
  ];
}

/** What differs beside the values, and what it means when the rules no longer name anyone. */
export function changedFields(base: SecretDetail, draft: Fields): readonly FieldChange[] {
  const changed = [
    { label: 'Description', before: base.description, after: draft.description },
    accessChange('Allowed groups', base.allowedGroups, draft.allowedGroups),
    accessChange('Allowed users', base.allowedUsers, draft.allowedUsers),
  ].filter(({ before, after }) => before !== after);
  return !hasRules(draft) && hasRules(base) ? [...changed, OPEN] : changed;
}

function accessChange(label: string, before: readonly string[], after: readonly string[]) {
  return { label, before: before.join(', '), after: after.join(', ') };
}

function orNone(text: string): string {
  return text === '' ? 'none' : text;
}
