import { Alert } from '@patternfly/react-core';
import { useIsAdmin, useMe } from '../../api/queries.ts';
import { isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { LOCKOUT_WARNING_WORDS } from '../../words/form.ts';

/** Warns before someone saves rules that may end their own access. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  const isOut = me !== undefined && isExcluded(me, rules);
  const isAdmin = useIsAdmin(isOut);
  if (!isOut || isAdmin === undefined || isAdmin === true) return null;
  const words = LOCKOUT_WARNING_WORDS[isAdmin === false ? 'certain' : 'possible'];
  return (
    <Alert isInline variant="warning" component="h2" title={words.title}>
      <p>{words.explain}</p>
    </Alert>
  );
}
