import { Alert } from '@patternfly/react-core';
import { useMe } from '../../api/queries.ts';
import { isExcluded, type AccessRules } from '../../../../src/contract/access-rules.ts';

/** Says, before it happens, that whoever saves this may have no access any more. */
export function LockoutWarning({ rules }: { readonly rules: AccessRules }) {
  const { data: me } = useMe();
  if (me === undefined || !isExcluded(me, rules)) return null;
  return (
    <Alert isInline variant="warning" component="h2" title="You may lose access yourself">
      <p>
        Neither your groups nor your email are among those allowed. Unless you are an administrator of this
        service, you can neither see nor change this Secret afterwards.
      </p>
    </Alert>
  );
}
