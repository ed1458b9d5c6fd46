import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import { isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';
import { LOCKOUT_WARNING_WORDS } from '../../words/form.ts';

/** Warns before someone saves rules that may end their own access. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  if (me === undefined || !isExcluded(me, rules)) return null;
  return (
    <Alert isInline variant="warning" component="h2" title={LOCKOUT_WARNING_WORDS.title}>
      <p>{LOCKOUT_WARNING_WORDS.explain}</p>
    </Alert>
  );
}
