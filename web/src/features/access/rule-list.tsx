import { Label } from '@patternfly/react-core';
import { Fragment } from 'react';
import type { Explanation, SessionUser } from '../../api/secrets-api.ts';
import { ACCESS_LEVELS, LISTS_OF, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { LEVEL_LABELS } from '../../editing/sharing.ts';
import { emailKey } from '../../../../src/contract/email.ts';
import { When } from '../../ui/when.tsx';
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
  readonly machines?: Explanation['machines'];
  /** Left out: the administrators are not mentioned. */
  readonly isAdmin?: boolean;
}

/** Rules in words, with a label at those that name the reader. */
export function RuleList({ rules, label, me, first, machines = [], isAdmin }: RuleListProps) {
  const mine = new Set(me?.groups);
  const email = emailKey(me?.email ?? '');
  return (
    <ul className="access-list" aria-label={label}>
      {first !== undefined && <li>{first}</li>}
      {ACCESS_LEVELS.toReversed().map((level) => (
        <Fragment key={level}>
          <Entries
            entries={rules[LISTS_OF[level].groups] ?? []}
            isMine={(group) => mine.has(group)}
            words={LEVEL_LABELS[level]}
            of="Members of the group "
          />
          <Entries
            entries={rules[LISTS_OF[level].users] ?? []}
            isMine={(user) => emailKey(user) === email}
            words={LEVEL_LABELS[level]}
          />
        </Fragment>
      ))}
      {machines.slice(0, MOST).map(({ name, issuer, level, lastSeenAt }) => (
        <li key={name}>
          Machine <strong>{name}</strong> of {issuer} {LEVEL_LABELS[level]}
          {lastSeenAt !== undefined && (
            <>
              , last seen <When time={lastSeenAt} />
            </>
          )}
        </li>
      ))}
      <More count={machines.length - MOST} />
      {isAdmin !== undefined && <li>Administrators can manage {isAdmin && <You />}</li>}
    </ul>
  );
}

interface EntriesProps {
  readonly entries: readonly string[];
  readonly isMine: (entry: string) => boolean;
  readonly words: string;
  readonly of?: string;
}

function Entries({ entries, isMine, words, of = '' }: EntriesProps) {
  return (
    <>
      {entries.slice(0, MOST).map((entry, index) => (
        <li key={index}>
          {of}
          <strong>{entry}</strong> {words} {isMine(entry) && <You />}
        </li>
      ))}
      <More count={entries.length - MOST} />
    </>
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
