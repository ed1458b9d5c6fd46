import { Alert } from '@patternfly/react-core';
import { useIsAdmin, useMe } from '../../api/queries.ts';
import { isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';

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

/** Warns before someone saves rules that may end their own access. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  const isOut = me !== undefined && isExcluded(me, rules);
  const isAdmin = useIsAdmin(isOut);
  if (!isOut || isAdmin === undefined || isAdmin === true) return null;
  const words = WARNINGS[isAdmin === false ? 'certain' : 'possible'];
  return (
    <Alert isInline variant="warning" component="h2" title={words.title}>
      <p>{words.explain}</p>
    </Alert>
  );
}
