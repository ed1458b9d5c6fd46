import { Alert } from '@patternfly/react-core';
import { useIsAdmin, useMe } from '../../api/queries.ts';
import { isExcluded, levelIn, type AccessRules } from '../../../../src/contract/access-rules.ts';

const WARNINGS = {
  certain: {
    title: 'You will lose access',
    explain:
      "The rules don't include you or any of your groups, so you won't be able to see or change this Secret.",
  },
  /** Whether they are an administrator could not be found out. */
  possible: {
    title: 'You may lose access',
    explain:
      "The rules don't include you or any of your groups. Unless you're an administrator of this service, you won't be able to see or change this Secret.",
  },
};

/** What is left to someone whom only the lists of writers or readers name. */
const REMAINING = {
  write: 'You will be able to change its values, but not to delete it or to change its access rules.',
  read: 'You will be able to read it, but not to change or delete it.',
};

/** Warns before someone saves rules that may end their own access. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  const isOut = me !== undefined && isExcluded(me, rules);
  const isAdmin = useIsAdmin(isOut);
  if (!isOut || isAdmin === undefined || isAdmin === true) return null;
  const level = levelIn(me, rules);
  const words =
    level === 'read' || level === 'write'
      ? { title: `You will only be able to ${level}`, explain: REMAINING[level] }
      : WARNINGS[isAdmin === false ? 'certain' : 'possible'];
  return (
    <Alert isInline variant="warning" component="h2" title={words.title}>
      <p>{words.explain}</p>
    </Alert>
  );
}
