import { Label } from '@patternfly/react-core';
import type { SessionUser } from '../../api/secrets-api.ts';
import type { AccessRules } from '../../../../src/contract/access-rules.ts';
import { emailKey } from '../../../../src/contract/email.ts';
import { formatNumber } from '../../values/format.ts';

/** Of each list. The rules of a namespace may have thousands. */
const MOST = 200;

export interface RuleListProps {
  readonly rules: AccessRules;
  readonly label: string;
  /** Whose entries are marked. */
  readonly me: SessionUser | undefined;
  /** Whom everything lets in, before those who are named. */
  readonly first?: string | undefined;
  /** Left out: the administrators are not mentioned. */
  readonly isAdmin?: boolean;
}

/** Rules in words, with a label at those that name the reader. */
export function RuleList({ rules, label, me, first, isAdmin }: RuleListProps) {
  const mine = new Set(me?.groups);
  const email = emailKey(me?.email ?? '');
  return (
    <ul className="access-list" aria-label={label}>
      {first !== undefined && <li>{first}</li>}
      {rules.allowedGroups.slice(0, MOST).map((group, index) => (
        <li key={`group ${index}`}>
          Members of the group <strong>{group}</strong> {mine.has(group) && <You />}
        </li>
      ))}
      <More count={rules.allowedGroups.length - MOST} />
      {rules.allowedUsers.slice(0, MOST).map((user, index) => (
        <li key={`user ${index}`}>
          {user} {emailKey(user) === email && <You />}
        </li>
      ))}
      <More count={rules.allowedUsers.length - MOST} />
      {isAdmin !== undefined && <li>Administrators {isAdmin && <You />}</li>}
    </ul>
  );
}

function You() {
  return (
    <Label isCompact color="blue">
      You
    </Label>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 && <li>and {formatNumber(count)} more</li>;
}
